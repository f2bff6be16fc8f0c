import { readFileSync } from 'node:fs';

/** Memory that a process has now (`VmRSS`) or has had at most (`VmHWM`). */
export function memoryMib(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024;
}

/** Processor time of a process since its start, which Linux counts in hundredths of a second. */
export function workedMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
