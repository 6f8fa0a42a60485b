"""What several tests need and no room owns."""
