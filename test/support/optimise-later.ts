// Loaded before a program (`node --import`): V8 starts to optimise as late as in a process of spec files, but only once the program
// and its thread are compiled. On a slow machine they are then compiled without their cached code.
import { setFlagsFromString } from 'node:v8';

const COMPILED_WITHIN_MS = 1_000;

setTimeout(() => setFlagsFromString('--interrupt-budget=1000000'), COMPILED_WITHIN_MS).unref();
