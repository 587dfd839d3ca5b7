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
  {
    name: 'teams',
    sql: `
CREATE TABLE assay.teams (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Members are written as in the audit log: account:ID or wallet:ADDRESS.
CREATE TABLE assay.team_members (
  id uuid PRIMARY KEY,
  team uuid NOT NULL REFERENCES assay.teams ON DELETE CASCADE,
  member text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  joined_at timestamptz NOT NULL,
  UNIQUE (team, member)
);
CREATE INDEX team_members_of ON assay.team_members (member);

CREATE TABLE assay.team_invitations (
  id uuid PRIMARY KEY,
  team uuid NOT NULL REFERENCES assay.teams ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  role text NOT NULL,
  -- Null: a link that the inviter hands over.
  email text,
  invited_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX team_invitations_of ON assay.team_invitations (team);

-- Changes of one team are made one after the other: each of these functions locks its row first.
-- A role of null removes the member.
CREATE FUNCTION assay.set_team_role(of_team uuid, by_member text, of_member uuid, new_role text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  own text;
  changed record;
BEGIN
  PERFORM 1 FROM assay.teams WHERE id = of_team FOR UPDATE;
  SELECT m.role INTO own FROM assay.team_members m WHERE m.team = of_team AND m.member = by_member;
  IF own IS NULL THEN RETURN 'unknown'; END IF;
  SELECT * INTO changed FROM assay.team_members m WHERE m.team = of_team AND m.id = of_member;
  IF NOT FOUND THEN RETURN 'no_member'; END IF;
  IF own <> 'owner' AND NOT (new_role IS NULL AND changed.member = by_member) THEN RETURN 'forbidden'; END IF;
  IF changed.role = 'owner' AND new_role IS DISTINCT FROM 'owner' AND NOT EXISTS (
    SELECT 1 FROM assay.team_members m WHERE m.team = of_team AND m.role = 'owner' AND m.id <> of_member
  ) THEN RETURN 'last_owner'; END IF;
  IF new_role IS NULL THEN DELETE FROM assay.team_members m WHERE m.id = of_member;
  ELSE UPDATE assay.team_members m SET role = new_role WHERE m.id = of_member;
  END IF;
  RETURN CASE WHEN changed.member = by_member THEN 'own' ELSE 'done' END;
END
$$;

CREATE FUNCTION assay.invite_to_team(
  of_team uuid, by_member text, new_id uuid, new_hash bytea, new_role text, new_email text,
  at timestamptz, until timestamptz, most integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  own text;
BEGIN
  PERFORM 1 FROM assay.teams WHERE id = of_team FOR UPDATE;
  SELECT m.role INTO own FROM assay.team_members m WHERE m.team = of_team AND m.member = by_member;
  IF own IS NULL THEN RETURN 'unknown'; END IF;
  IF own <> 'owner' THEN RETURN 'forbidden'; END IF;
  DELETE FROM assay.team_invitations i WHERE i.team = of_team AND (i.expires_at <= at OR i.email = new_email);
  IF (SELECT count(*) FROM assay.team_invitations i WHERE i.team = of_team)
    + (SELECT count(*) FROM assay.team_members m WHERE m.team = of_team) >= most THEN RETURN 'full'; END IF;
  INSERT INTO assay.team_invitations (id, team, token_hash, role, email, invited_by, created_at, expires_at)
  VALUES (new_id, of_team, new_hash, new_role, new_email, by_member, at, until);
  RETURN 'done';
END
$$;

-- An invitation can be used once. A member who opens it does not use it up.
CREATE FUNCTION assay.join_team(of_hash bytea, by_member text, called text, new_id uuid, at timestamptz, most_teams integer)
RETURNS TABLE (outcome text, team uuid) LANGUAGE plpgsql AS $$
DECLARE
  invitation record;
  own_teams bigint;
BEGIN
  SELECT * INTO invitation FROM assay.team_invitations i WHERE i.token_hash = of_hash AND i.expires_at > at;
  IF NOT FOUND THEN RETURN QUERY SELECT 'unknown', NULL::uuid; RETURN; END IF;
  PERFORM 1 FROM assay.teams t WHERE t.id = invitation.team FOR UPDATE;
  -- Whoever waited for the lock may find the invitation used up.
  PERFORM 1 FROM assay.team_invitations i WHERE i.id = invitation.id FOR UPDATE;
  IF NOT FOUND THEN RETURN QUERY SELECT 'unknown', NULL::uuid; RETURN; END IF;
  IF EXISTS (SELECT 1 FROM assay.team_members m WHERE m.team = invitation.team AND m.member = by_member) THEN
    RETURN QUERY SELECT 'member', invitation.team;
    RETURN;
  END IF;
  SELECT count(*) INTO own_teams FROM assay.team_members m WHERE m.member = by_member;
  IF own_teams >= most_teams THEN RETURN QUERY SELECT 'full', invitation.team; RETURN; END IF;
  INSERT INTO assay.team_members (id, team, member, name, role, joined_at)
  VALUES (new_id, invitation.team, by_member, called, invitation.role, at);
  DELETE FROM assay.team_invitations i WHERE i.id = invitation.id;
  RETURN QUERY SELECT 'done', invitation.team;
END
$$;

-- The owner of a query shares it with one team; of its versions, members see those from team_since on.
ALTER TABLE assay.saved_queries
  ADD COLUMN team uuid REFERENCES assay.teams ON DELETE SET NULL,
  ADD COLUMN team_since integer NOT NULL DEFAULT 1;
CREATE INDEX saved_queries_of_team ON assay.saved_queries (team) WHERE visibility = 'team';
-- Whoever leaves a team takes their queries along.
CREATE FUNCTION assay.unshare_queries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assay.saved_queries SET visibility = 'private', team = NULL
  WHERE team = OLD.team AND owner = OLD.member AND visibility = 'team';
  RETURN NULL;
END
$$;
CREATE TRIGGER team_members_gone AFTER DELETE ON assay.team_members
FOR EACH ROW EXECUTE FUNCTION assay.unshare_queries();
-- Who saved it; empty for versions from before teams.
ALTER TABLE assay.saved_query_versions
  ADD COLUMN saved_by text NOT NULL DEFAULT '',
  ADD COLUMN saved_by_name text NOT NULL DEFAULT '';`,
  },
  {
    name: 'keys for named queries',
    sql: `
-- Null: not limited. The queries may be deleted, the key then runs the others.
ALTER TABLE assay.api_keys ADD COLUMN queries uuid[];`,
  },
  {
    name: 'uploads',
    sql: `
-- An upload is what its row says: its table is in a database of its own, made before the row and dropped after it.
CREATE TABLE assay.uploads (
  owner text NOT NULL,
  name text NOT NULL,
  database text NOT NULL UNIQUE,
  file_name text NOT NULL,
  columns jsonb NOT NULL,
  row_count bigint NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (owner, name)
);

-- Databases to drop: of uploads that are being written, and of those that were replaced or deleted.
CREATE TABLE assay.upload_leftovers (
  database text PRIMARY KEY,
  since timestamptz NOT NULL
);`,
  },
  {
    name: 'query queue',
    sql: `
-- Queries of all servers that wait or run, and runs for a while after they ended. A server that ends loses its claims once
-- held_until has passed.
CREATE TABLE assay.query_queue (
  id uuid PRIMARY KEY,
  place bigint GENERATED ALWAYS AS IDENTITY,
  server uuid NOT NULL,
  held_until timestamptz NOT NULL,
  lost_at timestamptz,
  -- queued, running, succeeded, failed, cancelled
  state text NOT NULL,
  -- A stopped query keeps its slot until the engine has ended it, and one that ended may be written down a little later.
  occupies boolean NOT NULL DEFAULT false,
  caller text NOT NULL,
  network text,
  is_member boolean NOT NULL,
  is_patient boolean NOT NULL,
  -- How many queries its caller may run, and from how many running ones on each caller runs one.
  most integer NOT NULL,
  shared_from integer NOT NULL,
  -- What its caller cancels it by.
  query_id text NOT NULL,
  is_cancelled boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 1,
  -- Of runs alone. JSON as text: PostgreSQL keeps no zero bytes in jsonb.
  owner text,
  request text,
  run text,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX query_queue_live ON assay.query_queue (place) WHERE state IN ('queued', 'running') OR occupies;
CREATE INDEX query_queue_ended ON assay.query_queue (changed_at) WHERE state NOT IN ('queued', 'running');
CREATE INDEX query_queue_of_owner ON assay.query_queue (owner);

CREATE VIEW assay.live_queries AS
SELECT *,
  count(*) FILTER (WHERE occupies) OVER () AS running,
  count(*) FILTER (WHERE occupies AND is_member) OVER () AS members,
  count(*) FILTER (WHERE occupies AND NOT is_member) OVER () AS guests,
  count(*) FILTER (WHERE occupies) OVER (PARTITION BY caller) AS own_running,
  -- Who does not queue counts from its beginning.
  count(*) FILTER (WHERE occupies OR (state = 'queued' AND NOT is_patient)) OVER (PARTITION BY caller) AS own,
  count(*) FILTER (WHERE occupies OR (state = 'queued' AND NOT is_patient)) OVER (PARTITION BY network) AS near
FROM assay.query_queue
WHERE (state IN ('queued', 'running') OR occupies) AND held_until > clock_timestamp();

-- Gives free slots to waiting queries: callers with fewer running ones first, then in the order in which they came.
CREATE FUNCTION assay.admit_queries(limits jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  next uuid;
  in_all integer := limits ->> 'inAll';
BEGIN
  LOOP
    SELECT q.id INTO next FROM assay.live_queries q
    WHERE q.state = 'queued' AND q.running < in_all
      AND CASE WHEN q.is_member THEN q.members < in_all - (limits ->> 'ofGuests')::integer
        ELSE q.guests < in_all - (limits ->> 'ofMembers')::integer END
      AND (NOT q.is_patient OR (q.own < q.most AND (q.own = 0 OR q.running < q.shared_from)
        AND (q.network IS NULL OR q.near < (limits ->> 'ofNetwork')::integer)))
    ORDER BY q.own_running, q.place LIMIT 1;
    EXIT WHEN next IS NULL;
    UPDATE assay.query_queue SET state = 'running', occupies = true WHERE id = next;
  END LOOP;
END
$$;

-- Claims a slot or a place in the queue. Returns running, queued, or why neither: own, shared, crowded, waiting.
CREATE FUNCTION assay.take_query_slot(
  of_server uuid, held_ms double precision, new jsonb, new_request text, new_run text, over uuid[], limits jsonb
) RETURNS TABLE (verdict text, own integer, place integer) LANGUAGE plpgsql AS $$
DECLARE
  as_patient boolean := new ->> 'isPatient';
  queue_most integer := new ->> 'queueMost';
  most_own integer := new ->> 'most';
  of_caller text := new ->> 'caller';
  of_network text := new ->> 'network';
  live record;
BEGIN
  -- A run that is lost with the store is run again or reported by its server.
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(7411004);
  IF cardinality(over) > 0 THEN
    UPDATE assay.query_queue SET occupies = false WHERE id = ANY(over);
  END IF;
  SELECT count(*) FILTER (WHERE q.state = 'queued') AS waiting,
    count(*) FILTER (WHERE q.occupies) AS running,
    count(*) FILTER (WHERE q.caller = of_caller AND (q.occupies OR (q.state = 'queued' AND NOT q.is_patient))) AS own,
    count(*) FILTER (WHERE q.caller = of_caller AND q.is_patient AND q.state = 'queued') AS own_waiting,
    count(*) FILTER (WHERE q.network = of_network AND (q.occupies OR (q.state = 'queued' AND NOT q.is_patient))) AS near,
    count(*) FILTER (WHERE q.network = of_network AND q.state = 'queued') AS near_waiting
  INTO live FROM assay.query_queue q
  WHERE (q.state IN ('queued', 'running') OR q.occupies) AND q.held_until > clock_timestamp();
  IF NOT as_patient THEN
    IF live.own >= most_own OR live.near >= (limits ->> 'ofNetwork')::integer THEN
      RETURN QUERY SELECT 'own', live.own::integer, 0;
      RETURN;
    ELSIF live.own > 0 AND live.running >= (new ->> 'sharedFrom')::integer THEN
      RETURN QUERY SELECT 'shared', live.own::integer, 0;
      RETURN;
    END IF;
  END IF;
  INSERT INTO assay.query_queue
    (id, server, held_until, state, caller, network, is_member, is_patient, most, shared_from, query_id, owner, request, run)
  VALUES ((new ->> 'id')::uuid, of_server, clock_timestamp() + held_ms * interval '1 millisecond', 'queued', of_caller,
    of_network, (new ->> 'isMember')::boolean, as_patient, most_own, (new ->> 'sharedFrom')::integer, new ->> 'queryId',
    new ->> 'owner', new_request, new_run);
  PERFORM assay.admit_queries(limits);
  PERFORM FROM assay.query_queue q WHERE q.id = (new ->> 'id')::uuid AND q.state = 'running';
  IF FOUND THEN
    RETURN QUERY SELECT 'running', live.own::integer, 0;
    RETURN;
  END IF;
  IF as_patient AND (live.own_waiting >= queue_most OR live.waiting >= (limits ->> 'waiting')::integer
      OR (of_network IS NOT NULL AND live.near_waiting >= queue_most * (limits ->> 'widerShare')::integer)) THEN
    DELETE FROM assay.query_queue WHERE id = (new ->> 'id')::uuid;
    RETURN QUERY SELECT CASE WHEN live.own_waiting >= queue_most THEN 'waiting' ELSE 'crowded' END,
      live.own_waiting::integer, 0;
    RETURN;
  END IF;
  RETURN QUERY SELECT 'queued', live.own::integer, live.waiting::integer + 1;
END
$$;

-- Prolongs the claims of a server, gives free slots away, and returns the queries of the server. With is_adopting it takes over
-- runs whose server has ended.
CREATE FUNCTION assay.tick_queries(of_server uuid, held_ms double precision, is_adopting boolean, limits jsonb)
RETURNS TABLE (
  id uuid, state text, is_cancelled boolean, own integer, running integer, shared_from integer, most integer, place integer,
  attempts integer, lost_ms double precision, caller text, owner text, request text, run text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  held interval := held_ms * interval '1 millisecond';
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(7411004);
  UPDATE assay.query_queue q SET held_until = clock_timestamp() + held
  WHERE q.server = of_server AND (q.state IN ('queued', 'running') OR q.occupies);
  DELETE FROM assay.query_queue q
  WHERE q.owner IS NULL AND q.held_until < clock_timestamp() AND q.state IN ('queued', 'running');
  IF is_adopting THEN
    UPDATE assay.query_queue q
    SET server = of_server, lost_at = q.held_until, held_until = clock_timestamp() + held,
      attempts = q.attempts + CASE WHEN q.state = 'queued' THEN 0 ELSE 1 END, state = 'queued', occupies = false
    WHERE q.owner IS NOT NULL AND q.held_until < clock_timestamp() AND q.state IN ('queued', 'running');
  END IF;
  PERFORM assay.admit_queries(limits);
  RETURN QUERY
  SELECT m.id, m.state, m.is_cancelled, m.own, m.running, m.shared_from, m.most, m.place, m.attempts, m.lost_ms, m.caller, m.owner,
    m.request, m.run FROM (
  SELECT q.id, q.state, q.is_cancelled, q.own::integer AS own, q.running::integer AS running, q.shared_from, q.most,
    (row_number() OVER (PARTITION BY q.state ORDER BY q.own_running, q.place))::integer AS place,
    q.attempts, coalesce(extract(epoch FROM clock_timestamp() - q.lost_at) * 1000, 0)::double precision AS lost_ms, q.caller,
    q.owner, CASE WHEN q.lost_at IS NOT NULL THEN q.request END AS request, CASE WHEN q.lost_at IS NOT NULL THEN q.run END AS run,
    q.server
  FROM assay.live_queries q
  ) m WHERE m.server = of_server AND m.state IN ('queued', 'running');
END
$$;`,
  },
  {
    name: 'comments on saved queries',
    sql: `
CREATE TABLE assay.query_comments (
  id uuid PRIMARY KEY,
  query uuid NOT NULL REFERENCES assay.saved_queries ON DELETE CASCADE,
  author text NOT NULL,
  author_name text NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX query_comments_of_query ON assay.query_comments (query, created_at);
CREATE INDEX query_comments_of_author ON assay.query_comments (author);`,
  },
  {
    name: 'daily query quotas',
    sql: `
-- What each caller of queries used on a day (UTC). A caller is an account, a wallet or a network.
CREATE TABLE assay.query_usage (
  day date NOT NULL,
  caller text NOT NULL,
  runs bigint NOT NULL DEFAULT 0,
  elapsed_ms bigint NOT NULL DEFAULT 0,
  read_rows bigint NOT NULL DEFAULT 0,
  read_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (day, caller)
);

CREATE FUNCTION assay.add_query_usage(of_callers text[], new_runs bigint, new_ms bigint, new_rows bigint, new_bytes bigint)
RETURNS void LANGUAGE sql AS $$
INSERT INTO assay.query_usage AS known (day, caller, runs, elapsed_ms, read_rows, read_bytes)
SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date, caller, new_runs, new_ms, new_rows, new_bytes
FROM unnest(of_callers) AS caller WHERE caller IS NOT NULL ORDER BY caller
ON CONFLICT (day, caller) DO UPDATE SET runs = known.runs + excluded.runs, elapsed_ms = known.elapsed_ms + excluded.elapsed_ms,
  read_rows = known.read_rows + excluded.read_rows, read_bytes = known.read_bytes + excluded.read_bytes
$$;

-- As take_query_slot, within the quota of the day. Returns quota and the part that is used up where there is nothing left.
CREATE FUNCTION assay.take_counted_query_slot(
  of_server uuid, held_ms double precision, new jsonb, new_request text, new_run text, over uuid[], limits jsonb, quota jsonb
) RETURNS TABLE (
  verdict text, own integer, place integer, runs double precision, elapsed_ms double precision, read_rows double precision,
  read_bytes double precision
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  used record;
  taken record;
  lacking text;
BEGIN
  PERFORM pg_advisory_xact_lock(7411004);
  -- The networks of a /48 together may use a few times as much as one.
  FOR used IN
    SELECT u.*, CASE WHEN u.caller = new ->> 'caller' THEN 1 ELSE (limits ->> 'widerShare')::integer END AS share
    FROM assay.query_usage u
    WHERE u.day = (clock_timestamp() AT TIME ZONE 'UTC')::date AND u.caller IN (new ->> 'caller', new ->> 'network')
    ORDER BY u.caller <> new ->> 'caller'
  LOOP
    lacking := CASE
      WHEN used.runs >= used.share * (quota ->> 'runs')::double precision THEN 'runs'
      WHEN used.elapsed_ms >= used.share * (quota ->> 'seconds')::double precision * 1000 THEN 'seconds'
      WHEN used.read_rows >= used.share * (quota ->> 'rows')::double precision THEN 'rows'
      WHEN used.read_bytes >= used.share * (quota ->> 'bytes')::double precision THEN 'bytes' END;
    IF lacking IS NOT NULL THEN
      RETURN QUERY SELECT 'quota ' || lacking, 0, 0, 0::double precision, 0::double precision, 0::double precision,
        0::double precision;
      RETURN;
    END IF;
  END LOOP;
  SELECT * INTO taken FROM assay.take_query_slot(of_server, held_ms, new, new_request, new_run, over, limits);
  IF taken.verdict IN ('running', 'queued') THEN
    PERFORM assay.add_query_usage(ARRAY[new ->> 'caller', new ->> 'network'], 1, 0, 0, 0);
  END IF;
  RETURN QUERY SELECT taken.verdict, taken.own, taken.place, u.runs::double precision, u.elapsed_ms::double precision,
    u.read_rows::double precision, u.read_bytes::double precision
  FROM (SELECT 1) one LEFT JOIN assay.query_usage u
    ON u.day = (clock_timestamp() AT TIME ZONE 'UTC')::date AND u.caller = new ->> 'caller';
END
$$;`,
  },
  {
    name: 'schedules of saved queries',
    sql: `
CREATE TABLE assay.query_schedules (
  query uuid PRIMARY KEY REFERENCES assay.saved_queries ON DELETE CASCADE,
  owner text NOT NULL,
  -- Confirmed email of the owner when they set it.
  email text,
  cron text NOT NULL,
  parameters jsonb NOT NULL,
  -- Of parameters that the query writes without one.
  types jsonb NOT NULL,
  is_paused boolean NOT NULL,
  next_at timestamptz NOT NULL,
  -- Of the server that runs it, until claimed_until.
  claim uuid,
  claimed_until timestamptz,
  failures integer NOT NULL DEFAULT 0,
  ended_at timestamptz,
  result text,
  result_at timestamptz,
  problem jsonb
);
CREATE INDEX query_schedules_due ON assay.query_schedules (next_at) WHERE NOT is_paused;
CREATE INDEX query_schedules_of_owner ON assay.query_schedules (owner);`,
  },
  {
    name: 'queue by usage of the day',
    sql: `
CREATE OR REPLACE VIEW assay.live_queries AS
SELECT q.*,
  count(*) FILTER (WHERE q.occupies) OVER () AS running,
  count(*) FILTER (WHERE q.occupies AND q.is_member) OVER () AS members,
  count(*) FILTER (WHERE q.occupies AND NOT q.is_member) OVER () AS guests,
  count(*) FILTER (WHERE q.occupies) OVER (PARTITION BY q.caller) AS own_running,
  -- Who does not queue counts from its beginning.
  count(*) FILTER (WHERE q.occupies OR (q.state = 'queued' AND NOT q.is_patient)) OVER (PARTITION BY q.caller) AS own,
  count(*) FILTER (WHERE q.occupies OR (q.state = 'queued' AND NOT q.is_patient)) OVER (PARTITION BY q.network) AS near,
  -- Doublings of the seconds that its caller has used today. After 20 seconds in the queue it counts no more.
  CASE WHEN q.changed_at < clock_timestamp() - interval '20 seconds' THEN 0
    ELSE floor(ln(1 + coalesce(u.elapsed_ms, 0) / 1000.0) / ln(2)) END AS weight
FROM assay.query_queue q
LEFT JOIN assay.query_usage u ON u.day = (clock_timestamp() AT TIME ZONE 'UTC')::date AND u.caller = q.caller
WHERE (q.state IN ('queued', 'running') OR q.occupies) AND q.held_until > clock_timestamp();

-- Gives free slots to waiting queries: callers with fewer running ones first, then who used less today, then who came first.
CREATE OR REPLACE FUNCTION assay.admit_queries(limits jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  next uuid;
  in_all integer := limits ->> 'inAll';
BEGIN
  LOOP
    SELECT q.id INTO next FROM assay.live_queries q
    WHERE q.state = 'queued' AND q.running < in_all
      AND CASE WHEN q.is_member THEN q.members < in_all - (limits ->> 'ofGuests')::integer
        ELSE q.guests < in_all - (limits ->> 'ofMembers')::integer END
      AND (NOT q.is_patient OR (q.own < q.most AND (q.own = 0 OR q.running < q.shared_from)
        AND (q.network IS NULL OR q.near < (limits ->> 'ofNetwork')::integer)))
    ORDER BY q.own_running, q.weight, q.place LIMIT 1;
    EXIT WHEN next IS NULL;
    UPDATE assay.query_queue SET state = 'running', occupies = true WHERE id = next;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION assay.tick_queries(of_server uuid, held_ms double precision, is_adopting boolean, limits jsonb)
RETURNS TABLE (
  id uuid, state text, is_cancelled boolean, own integer, running integer, shared_from integer, most integer, place integer,
  attempts integer, lost_ms double precision, caller text, owner text, request text, run text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  held interval := held_ms * interval '1 millisecond';
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(7411004);
  UPDATE assay.query_queue q SET held_until = clock_timestamp() + held
  WHERE q.server = of_server AND (q.state IN ('queued', 'running') OR q.occupies);
  DELETE FROM assay.query_queue q
  WHERE q.owner IS NULL AND q.held_until < clock_timestamp() AND q.state IN ('queued', 'running');
  IF is_adopting THEN
    UPDATE assay.query_queue q
    SET server = of_server, lost_at = q.held_until, held_until = clock_timestamp() + held,
      attempts = q.attempts + CASE WHEN q.state = 'queued' THEN 0 ELSE 1 END, state = 'queued', occupies = false
    WHERE q.owner IS NOT NULL AND q.held_until < clock_timestamp() AND q.state IN ('queued', 'running');
  END IF;
  PERFORM assay.admit_queries(limits);
  RETURN QUERY
  SELECT m.id, m.state, m.is_cancelled, m.own, m.running, m.shared_from, m.most, m.place, m.attempts, m.lost_ms, m.caller, m.owner,
    m.request, m.run FROM (
  SELECT q.id, q.state, q.is_cancelled, q.own::integer AS own, q.running::integer AS running, q.shared_from, q.most,
    (row_number() OVER (PARTITION BY q.state ORDER BY q.own_running, q.weight, q.place))::integer AS place,
    q.attempts, coalesce(extract(epoch FROM clock_timestamp() - q.lost_at) * 1000, 0)::double precision AS lost_ms, q.caller,
    q.owner, CASE WHEN q.lost_at IS NOT NULL THEN q.request END AS request, CASE WHEN q.lost_at IS NOT NULL THEN q.run END AS run,
    q.server
  FROM assay.live_queries q
  ) m WHERE m.server = of_server AND m.state IN ('queued', 'running');
END
$$;`,
  },
]
