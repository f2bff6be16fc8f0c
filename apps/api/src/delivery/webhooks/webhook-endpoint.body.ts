import {
  ArrayMaxSize,
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { FORMATS, SLACK_RATE, type EndpointConfiguration } from '#delivery/domain/webhooks/webhook.events.js';
import type { WebhookDesk } from '#delivery/webhooks/webhook-desk.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { knownLists } from '#lists/known-lists.js';
import { IsId, IsNotBlank, IsNullable, NeedsSomeField } from '#http/body.js';
import { idParam } from '#http/parameters.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { FEED_TYPES, type FeedType } from '#projections/delivery/event-feed/event-feed.projection.js';
import { signalSetup } from '#signals/domain/setups/signal-setup.js';

/** Path parameters of an endpoint. */
export const endpointPath = { endpoint_id: idParam(400) };

const MOST_FILTERED = 100;
const LONGEST_URL = 2_048;
const FASTEST = 1_000;

export const invalidEndpoint = refusal({
  code: 'invalid-webhook-endpoint',
  kind: 'unprocessable',
  detail: 'The webhook endpoint is not valid.',
});

class EndpointFieldsBody {
  @IsOptional()
  @IsNullable()
  @ArrayMinSize(1)
  @IsIn(FEED_TYPES, { each: true })
  types?: FeedType[] | null;

  @IsOptional()
  @IsNullable()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_FILTERED)
  @IsId({ each: true })
  signal_setup_ids?: number[] | null;

  @IsOptional()
  @IsNullable()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_FILTERED)
  @IsNotBlank({ each: true })
  signal_template_keys?: string[] | null;

  @IsOptional()
  @IsNullable()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_FILTERED)
  @IsId({ each: true })
  list_ids?: number[] | null;

  @IsOptional()
  @IsNullable()
  @IsString()
  @MaxLength(500)
  description?: string | null;

  @IsOptional()
  @IsNullable()
  @IsInt()
  @Min(1)
  @Max(FASTEST)
  rate_per_second?: number | null;

  @IsOptional()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];
}

export class NewEndpointBody extends EndpointFieldsBody {
  @IsNotBlank()
  @MaxLength(LONGEST_URL)
  url: string;
}

@NeedsSomeField('Send at least one field of the endpoint, or enabled.')
export class EndpointChangeBody extends EndpointFieldsBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(LONGEST_URL)
  url?: string;

  @IsOptional()
  @IsBoolean()
  enabled?: boolean;
}

type Judges = {
  readonly webhooks: WebhookDesk;
  readonly commands: Pick<Commands, 'loadEach'>;
  readonly readModels: ReadModels;
};

/**
 * The configuration in a body, in the terms of the domain; a field that was not sent is absent. Throws
 * `invalidEndpoint` with the field: for an address that may not be called, and for setups, lists and templates that
 * the workspace does not have. `known`: the current format of the endpoint.
 */
export async function configurationOf(
  judges: Judges,
  workspaceId: number,
  body: EndpointChangeBody,
  known: EndpointConfiguration['format'] = 'standard',
): Promise<Partial<EndpointConfiguration>> {
  const { webhooks, commands, readModels } = judges;
  const refused = (field: string, message: string) => invalidEndpoint({ errors: fieldError(field, message) });
  const urlFault = body.url === undefined ? null : webhooks.urlFault(body.url);
  if (urlFault !== null) throw refused('url', urlFault);
  const isSlack = (body.format ?? known) === 'slack';
  if (isSlack && (body.rate_per_second ?? SLACK_RATE) > SLACK_RATE)
    throw refused('rate_per_second', 'must be 1 where the format is slack');
  const setups = (body.signal_setup_ids ?? []).map((id) => workspaceScoped(workspaceId, id));
  const areThere = await commands.loadEach(
    signalSetup,
    setups,
    ({ configuration }) => configuration !== null,
  );
  if (areThere.includes(false))
    throw refused('signal_setup_ids', 'must be ids of signal setups of the workspace');
  const listIds = body.list_ids ?? [];
  if ((await knownLists(judges, workspaceId, listIds)).size < new Set(listIds).size)
    throw refused('list_ids', 'must be ids of lists of the workspace');
  const keys = new Set(body.signal_template_keys ?? []);
  if ((await readModels.find(signalTemplates, { where: { key: { in: [...keys] } } })).length < keys.size)
    throw refused('signal_template_keys', 'must be keys of signal templates');
  const said = {
    url: body.url,
    types: body.types && FEED_TYPES.filter((type) => body.types?.includes(type)),
    signalSetupIds: body.signal_setup_ids,
    signalTemplateKeys: body.signal_template_keys,
    listIds: body.list_ids,
    description: body.description,
    ratePerSecond: body.rate_per_second,
    format: body.format,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
