import type { WebhookDesk } from '../webhooks/webhook-desk.js';

declare module '#ops/support/operator-command.js' {
  interface OperatorHost {
    readonly webhooks: Pick<WebhookDesk, 'records'>;
  }
}
