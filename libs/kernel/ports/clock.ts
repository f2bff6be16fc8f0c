/** The only source of product time. Machine matters (leases, time-outs) use real time instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
