"""The lessons' task on durable engines that exist, each under the attack of the laboratory. See `README.md`, «Engines».

Optional: it needs `requirements.txt` of this folder, and nothing else of the course imports it.
"""
