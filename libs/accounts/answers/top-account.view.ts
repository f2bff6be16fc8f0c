import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import { TopAccountTier } from '#accounts/domain/top-accounts/top-accounts.events.js';

const Text = Nullable(Type.String());

/** A top account as v2 answers it. */
export const TopAccountView = Type.Object(
  {
    id: Id,
    company_id: Id,
    company: Type.Object(
      {
        name: Text,
        domain: Text,
        network_url: Text,
        network_handle: Text,
        logo_url: Text,
        status: OneOf('found'),
      },
      { title: 'TopAccountCompany' },
    ),
    tier: Nullable(TopAccountTier),
    imported_at: Timestamp,
    observed_at: Nullable(Timestamp),
  },
  { title: 'TopAccount' },
);
