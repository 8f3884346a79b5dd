"""MaxCode for editors: faster C++ and CUDA code, each claim proven on the user's machine."""

__version__ = "0.1.0"
