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
    name: 'accounts',
    sql: `
CREATE TABLE assay.accounts (
  id text PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  email_proved_at timestamptz,
  name text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE assay.account_links (
  token_hash bytea PRIMARY KEY,
  account text NOT NULL REFERENCES assay.accounts ON DELETE CASCADE,
  purpose text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_links_of ON assay.account_links (account);

CREATE TABLE assay.oidc_records (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  account text,
  grant_id text,
  uid text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (model, id)
);
CREATE INDEX oidc_records_of_grant ON assay.oidc_records (grant_id);
CREATE INDEX oidc_records_of_account ON assay.oidc_records (account);
CREATE INDEX oidc_records_of_uid ON assay.oidc_records (model, uid);

CREATE TABLE assay.account_secrets (
  name text PRIMARY KEY,
  value jsonb NOT NULL
);

CREATE TABLE assay.siws_nonces (
  nonce text PRIMARY KEY,
  address text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE assay.wallet_sessions (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  address text NOT NULL,
  device text NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX wallet_sessions_of ON assay.wallet_sessions (address);

CREATE TABLE assay.api_keys (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  person text NOT NULL,
  name text NOT NULL,
  start text NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  expires_at timestamptz
);
CREATE INDEX api_keys_of ON assay.api_keys (kind, person);

CREATE TABLE assay.grants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  holder text NOT NULL,
  features text[] NOT NULL,
  until timestamptz,
  reason text NOT NULL,
  granted_by text NOT NULL,
  granted_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_by text
);
CREATE INDEX grants_of ON assay.grants (holder);

CREATE TABLE assay.trials (
  email_hash bytea PRIMARY KEY,
  started_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE TABLE assay.wallet_aliases (
  kind text NOT NULL,
  person text NOT NULL,
  address text NOT NULL,
  alias text NOT NULL,
  PRIMARY KEY (kind, person, address)
);

CREATE TABLE assay.audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  event text NOT NULL,
  person text,
  asker text,
  facts jsonb NOT NULL
);
CREATE INDEX audit_log_of ON assay.audit_log (person, id);`,
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
  {
    name: 'device of a grant',
    sql: `
ALTER TABLE assay.oidc_records ADD COLUMN device text NOT NULL DEFAULT '';`,
  },
  {
    name: 'where accounts were signed in',
    sql: `
CREATE INDEX audit_log_sign_ins ON assay.audit_log (person, asker)
WHERE event IN ('account signed in', 'password changed');`,
  },
  {
    name: 'billing claims by invoice',
    sql: `
ALTER TABLE assay.billing_subscriptions ADD COLUMN ends_at timestamptz;
UPDATE assay.billing_subscriptions SET ends_at = period_end WHERE ends_at_period_end;
ALTER TABLE assay.billing_subscriptions DROP COLUMN ends_at_period_end;
ALTER TABLE assay.billing_claims
  ADD COLUMN amount bigint NOT NULL DEFAULT 0,
  ADD COLUMN invoice text,
  ADD COLUMN invoice_paid bigint,
  ADD COLUMN periods jsonb NOT NULL DEFAULT '[]';`,
  },
  {
    name: 'refused values of sources',
    sql: `
ALTER TABLE assay.source_jobs
  ADD COLUMN refused_values integer NOT NULL DEFAULT 0,
  ADD COLUMN refused_named jsonb NOT NULL DEFAULT '[]';`,
  },
  {
    name: 'sign-in versions',
    sql: `
ALTER TABLE assay.accounts ADD COLUMN sign_in_version integer NOT NULL DEFAULT 0;
ALTER TABLE assay.oidc_records ADD COLUMN sign_in_version integer NOT NULL DEFAULT 0;
-- Null: a wallet, or an account of a tenant.
ALTER TABLE assay.api_keys ADD COLUMN sign_in_version integer;
UPDATE assay.api_keys k SET sign_in_version = 0 FROM assay.accounts a WHERE k.kind = 'account' AND k.person = a.id;`,
  },
  {
    name: 'ending a grant at once',
    sql: `
-- Each statement of a function sees what was committed before it, and all of them are one transaction: whoever waited for the
-- lock of the grant finds it gone and its sessions ended.
CREATE FUNCTION assay.end_grant(of_account text, of_grant text, of_client text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- The order in which a reset and a write of a record take their locks.
  PERFORM 1 FROM assay.accounts WHERE id = of_account FOR UPDATE;
  PERFORM 1 FROM assay.oidc_records WHERE model = 'Grant' AND id = of_grant AND account = of_account FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE assay.oidc_records SET payload = 'null'::jsonb
  WHERE model = 'Session' AND account = of_account AND payload -> 'authorizations' -> of_client ->> 'grantId' = of_grant;
  DELETE FROM assay.oidc_records WHERE grant_id = of_grant AND account = of_account;
  RETURN true;
END
$$;`,
  },
  {
    name: 'query tool',
    sql: `
-- Owners are written as in the audit log: account:ID or wallet:ADDRESS.
CREATE TABLE assay.query_runs (
  id uuid PRIMARY KEY,
  owner text NOT NULL,
  sql text NOT NULL,
  parameters jsonb NOT NULL,
  state text NOT NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  result text,
  is_reused boolean NOT NULL,
  problem jsonb
);
CREATE INDEX query_runs_of_owner ON assay.query_runs (owner, created_at);

CREATE TABLE assay.saved_queries (
  id uuid PRIMARY KEY,
  owner text NOT NULL,
  name text NOT NULL,
  about text NOT NULL,
  folder text NOT NULL,
  sql text NOT NULL,
  parameters jsonb NOT NULL,
  visibility text NOT NULL,
  version integer NOT NULL,
  fork_of uuid REFERENCES assay.saved_queries ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX saved_queries_of_owner ON assay.saved_queries (owner, name);
CREATE INDEX saved_queries_public ON assay.saved_queries (changed_at) WHERE visibility = 'public';

CREATE TABLE assay.saved_query_versions (
  query uuid NOT NULL REFERENCES assay.saved_queries ON DELETE CASCADE,
  version integer NOT NULL,
  name text NOT NULL,
  sql text NOT NULL,
  parameters jsonb NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (query, version)
);

CREATE TABLE assay.query_stars (
  query uuid NOT NULL REFERENCES assay.saved_queries ON DELETE CASCADE,
  owner text NOT NULL,
  PRIMARY KEY (query, owner)
);
CREATE INDEX query_stars_of_owner ON assay.query_stars (owner);`,
  },
  {
    name: 'charts of saved queries',
    sql: `
ALTER TABLE assay.saved_queries ADD COLUMN chart jsonb;
ALTER TABLE assay.saved_query_versions ADD COLUMN chart jsonb;`,
  },
]
