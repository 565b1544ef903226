"""How complete each language is, for curators."""
