"""What a person sees and asks for, one file each."""
