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
]
