import type { ReferencePart } from '#http/reference.js';

/** People as they are known. */
export const leads: readonly ReferencePart[] = [
  {
    of: ['Lead', 'MappedProfile', 'ProfileMember', 'ProfileEntity', 'MonitoredProfileMember'],
    fields: {
      first_name: ['First name; null when unknown.', 'Ana'],
      last_name: ['Last name; null when unknown.', 'Roy'],
      avatar_url: ['Address of the photo; null when unknown.', 'https://img.network.example/ana.png'],
      position: ['Present title of the person; null when unknown.', 'VP Sales'],
      network_headline: ['The headline of the profile; null when unknown.', 'VP Sales at Acme'],
    },
  },
  {
    of: ['Lead', 'MappedProfile'],
    fields: { email: ['E-mail address; null when unknown.', 'ana@acme.com'] },
  },
  {
    of: ['Lead'],
    fields: {
      phone: ['Phone number; null when unknown.', '+33 1 23 45 67 89'],
      location: ['Place of the person as text; null when unknown.', 'Paris, France'],
      geo: ['Place of the person; null when unknown.'],
      company: ['Present employer; null when unknown.'],
      experiences: ['Positions of the person, newest first; null when unknown.'],
    },
  },
  {
    of: ['LeadGeo', 'ProfileLocation'],
    fields: { country: ['Name of the country; null when unknown.', 'France'] },
  },
  {
    of: ['LeadCompany'],
    fields: { is_top_account: ['Whether the company is a top account of the workspace now.'] },
  },
  {
    of: ['LeadExperience'],
    fields: {
      title: ['Title in this position; null when unknown.', 'VP Sales'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
      company_network_url: [
        'Page of the company on the network; null when unknown.',
        'https://www.network.example/company/acme',
      ],
      location: ['Place of the position; null when unknown.', 'Paris'],
      start_date: ['Start date, as exactly as known; null when unknown.', '2024-03'],
      end_date: ['End date, as exactly as known; null for a present position.', '2025-11'],
      is_current: ['Whether it is a present position.'],
    },
  },
];
