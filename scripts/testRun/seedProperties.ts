import process from 'node:process'
import fc from 'fast-check'

// Loaded before each test file when `SEED` is set: properties draw from that seed too, as printed when one failed.
fc.configureGlobal({ seed: Number(process.env.SEED) })
