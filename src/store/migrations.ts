/** Steps in their order, forward only: a step that was released is never changed, a further one follows it. */
export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'sources',
    sql: `
CREATE TABLE assay.source_jobs (
  source text NOT NULL,
  about text NOT NULL,
  host text NOT NULL,
  next_due timestamptz NOT NULL,
  last_attempt timestamptz,
  last_success timestamptz,
  outcome text,
  reason text,
  failures integer NOT NULL DEFAULT 0,
  etag text,
  last_modified text,
  suspects jsonb,
  PRIMARY KEY (source, about)
);
CREATE INDEX source_jobs_due ON assay.source_jobs (host, next_due);

CREATE TABLE assay.source_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  about text NOT NULL,
  started_at timestamptz NOT NULL,
  took_ms integer NOT NULL,
  outcome text NOT NULL,
  reason text,
  http_status integer,
  bytes integer NOT NULL,
  figures integer NOT NULL,
  is_manual boolean NOT NULL
);
CREATE INDEX source_runs_of_job ON assay.source_runs (source, about, id);

CREATE TABLE assay.source_refusals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  about text NOT NULL,
  refused_at timestamptz NOT NULL,
  code text NOT NULL,
  field text NOT NULL,
  reason text NOT NULL,
  body bytea NOT NULL,
  body_bytes integer NOT NULL
);
CREATE INDEX source_refusals_of_job ON assay.source_refusals (source, about, id);

CREATE TABLE assay.source_hosts (
  host text PRIMARY KEY,
  spacing_ms double precision NOT NULL,
  next_free timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0
);

CREATE TABLE assay.leases (
  name text PRIMARY KEY,
  holder text NOT NULL,
  held_until timestamptz NOT NULL
);`,
  },
  {
    name: 'billing',
    sql: `
CREATE TABLE assay.billing_customers (
  customer text PRIMARY KEY,
  owner text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE assay.billing_subscriptions (
  id text PRIMARY KEY,
  customer text NOT NULL,
  status text NOT NULL,
  plan text,
  price text,
  period_start timestamptz,
  period_end timestamptz,
  ends_at_period_end boolean NOT NULL DEFAULT false,
  read_at timestamptz NOT NULL
);
CREATE INDEX billing_subscriptions_of_customer ON assay.billing_subscriptions (customer);

CREATE TABLE assay.billing_claims (
  id text PRIMARY KEY,
  customer text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  since timestamptz NOT NULL,
  read_at timestamptz NOT NULL
);
CREATE INDEX billing_claims_of_customer ON assay.billing_claims (customer);

CREATE TABLE assay.stripe_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  created timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  outcome text NOT NULL
);`,
  },
  {
    name: 'cms',
    sql: `
CREATE TABLE assay.cms_versions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  key text NOT NULL,
  text text,
  author text NOT NULL,
  created_at timestamptz NOT NULL,
  publish_at timestamptz,
  based_on bigint NOT NULL,
  UNIQUE (kind, key, based_on)
);
CREATE INDEX cms_versions_by_time ON assay.cms_versions (publish_at) WHERE publish_at IS NOT NULL;

CREATE TABLE assay.cms_pictures (
  name text PRIMARY KEY,
  title text NOT NULL,
  type text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  bytes bytea NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE assay.ad_days (
  ad text NOT NULL,
  day date NOT NULL,
  event text NOT NULL,
  times bigint NOT NULL,
  PRIMARY KEY (ad, day, event)
);`,
  },
]
