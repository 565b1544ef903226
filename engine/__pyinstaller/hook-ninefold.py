"""Hook of PyInstaller: modules imported by name, sources and kernels, and the versions of the compiler."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules, copy_metadata

hiddenimports = collect_submodules("ninefold")
datas = collect_data_files("ninefold", include_py_files=True)
datas += copy_metadata("numba") + copy_metadata("llvmlite")
