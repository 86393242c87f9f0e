import fc from 'fast-check';

// The same cases in every run, so that a failure is the change's; `npm run laws` tries others, and more of them.
const { STEMMA_SEED: seed = '2025', STEMMA_RUNS: runs = '50' } = process.env;
fc.configureGlobal({ seed: Number(seed), numRuns: Number(runs) });
