import type { EndpointConfiguration } from '#delivery/domain/webhooks/webhook.events.js';

/** The configuration of an endpoint that receives everything of its workspace, without a description and a rate. */
export const sampleEndpoint: EndpointConfiguration = {
  url: 'https://hooks.example.test',
  types: null,
  signalSetupIds: null,
  signalTemplateKeys: null,
  listIds: null,
  description: null,
  ratePerSecond: null,
  format: 'standard',
};
