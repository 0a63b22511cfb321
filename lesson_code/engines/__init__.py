"""The lessons' task on existing durable engines, each under the attack of the laboratory. See the README, "Engines".

It is optional: it needs `requirements.txt` of this folder, and nothing else of the course imports it.
"""
