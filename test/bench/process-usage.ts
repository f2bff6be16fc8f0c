import { readFileSync } from 'node:fs';

/** Current (`VmRSS`) or highest (`VmHWM`) memory of a process. */
export function memoryMib(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024;
}

/** Processor time of a process since its start, which Linux counts in hundredths of a second. */
export function workedMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program name may contain any characters: the fields after it count from the state on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
