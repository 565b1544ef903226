"""What every page needs: who asks, headers, language, inputs, static files, and the answers to errors."""
