"""The verb `probe`: what a metric cannot see."""
