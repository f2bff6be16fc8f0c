import type { ReferencePart } from '#http/reference.js';

/** Names with one meaning everywhere: ids, times, envelopes and paging. */
export const everywhere: ReferencePart = {
  fields: {
    id: [
      'Its id in paths and filters. Ids belong to this installation, are never reused, and have gaps.',
      12,
    ],
    agent_id: ['Id of an agent; a signal setup is known by the same id.', 7],
    cap_id: ['Id of a cap on spending.', 3],
    endpoint_id: ['Id of a webhook endpoint.', 3],
    company_id: ['Id of a company of the workspace.', 9],
    content_id: ['Id of a post, comment or job posting of the workspace.', 31],
    launch_id: ['Id of the launch that the runs of one request belong to.', 5],
    list_id: ['Id of a list.', 12],
    mapping_id: ['Id of a company mapping.', 4],
    member_id: ['Id of a member of the list, as `members` answers it.', 12],
    movement_id: ['Id of a credit movement.', 412],
    persona_id: ['Id of a persona: a business unit of the workspace.', 3],
    request_id: ['Id of a content request: the background work on one company.', 310],
    run_id: ['Id of a signal run.', 91],
    signal_setup_id: ['Id of a signal setup.', 31],
    signal_template_id: [
      'Id of a signal template, of this installation; its `key` is the same everywhere.',
      8,
    ],
    created_at: ['When it was made, in UTC.'],
    updated_at: ['When it was changed last, in UTC.'],
    archived_at: ['When it was archived, in UTC; null while it is in use.'],

    data: ['The requested object.'],
    meta: ['The position of this page in the collection.'],
    pagination: ['Position of this page in the whole collection.'],
    page: ['Number of the page, from 1.', 1, 'pages'],
    page_size: ['Rows of a full page.', 25, 'rows'],
    page_count: ['Number of pages; 0 for an empty collection.', 4, 'pages'],
    total: ['Rows of the whole collection.', 93, 'rows'],
    limit: ['Rows of a page at most.', 25, 'rows'],
    cursor: [
      'The unchanged cursor of the previous page. It is valid for the filters that it was issued for.',
      'eyJ2IjoxLCJlIjoidXNhZ2UiLCJ3IjoxLCJmIjoiMWIwaE5MWi04UWIifQ',
    ],
    next: [
      'Cursor of the next page; null on the last one.',
      'eyJ2IjoxLCJlIjoidXNhZ2UiLCJ3IjoxLCJmIjoiMWIwaE5MWi04UWIifQ',
    ],
    next_cursor: [
      'Cursor of the next page; null on the last one.',
      'eyJ2IjoxLCJlIjoic2lnbmFscyIsInciOjEsImYiOiIxYjBoTkxaIn0',
    ],
    has_more: ['Whether another page follows.'],

    country: ['Name of a country.', 'France'],
    city: ['Name of the city; null when unknown.', 'Paris'],
    region: ['Name of the region; null when unknown.', 'Île-de-France'],
    country_code: ['Two-letter code of the country (ISO 3166-1); null when unknown.', 'FR'],
    network_handle: ['Handle on the professional network; null when unknown.', 'acme'],
    network_url: [
      'Address of the page on the professional network; null when unknown.',
      'https://www.network.example/company/acme',
    ],
    domain: ['Domain of the company; null when unknown.', 'acme.com'],
    logo_url: ['Address of the logo; null when unknown.', 'https://img.network.example/acme.png'],
  },
};

/** The envelope of a cursor page in v3. */
export const cursorEnvelope: ReferencePart = {
  of: ['CursorMeta'],
  fields: { cursor: ['The cursor of the next page.'] },
};
