/** Which traces are kept, by the names that OpenTelemetry gave them. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Where traces go, and which. */
export type TracingSettings = {
  /** Takes OTLP over HTTP, as JSON; the whole address. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Which part of the traces is kept, from 0 to 1, where the sampler asks for it. */
  readonly ratio: number;
};
