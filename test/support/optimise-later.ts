// Loaded before a program (`node --import`): once its code is compiled, V8 starts to optimise as late as in a process of spec files.
import { setFlagsFromString } from 'node:v8';

const COMPILED_WITHIN_MS = 150;

setTimeout(() => setFlagsFromString('--interrupt-budget=1000000'), COMPILED_WITHIN_MS).unref();
