/** The samplers, under their names in OpenTelemetry. */
export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** The destination and the sampling of traces. */
export type TracingSettings = {
  /** The whole address of an endpoint for OTLP over HTTP with JSON. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: (typeof SAMPLERS)[number];
  /** The ratio of sampled traces from 0 to 1, for samplers with a ratio. */
  readonly ratio: number;
};
