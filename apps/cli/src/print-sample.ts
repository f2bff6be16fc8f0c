import { readFileSync } from 'node:fs';
import { SAMPLE_FILE, shiftSample } from '../sample/shift-sample.js';

// The shipped sample of the observed network, with its dates moved so that the newest is just before now.
const lines = readFileSync(SAMPLE_FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '');
// The reader may close the pipe early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.stdout.write(`${shiftSample(lines, new Date()).join('\n')}\n`);
