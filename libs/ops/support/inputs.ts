import { Id, type TSchema } from '#kernel/values/schema.js';

/** The same schema with what `--help` says of the field. */
export const described = <Schema extends TSchema>(description: string, schema: Schema): Schema => ({
  ...schema,
  description,
});

/** Fields that mean the same in every command. */
export const WorkspaceId = described('id of the workspace', Id);
export const MovementId = described('id of the movement', Id);
export const PartnerId = described('id of the partner who pays', Id);
