import { z } from 'zod'
import { AccountError, type Accounts, demandPerson, WALLET_COOKIE, walletSecret } from '#accounts/index.ts'
import type { QueriesApi } from '../queries/api.ts'
import { type AnyRoute, done, json, route } from '../route.ts'
import * as schemas from '../schemas/account.ts'

const NOTHING = z.null()
const byId = z.strictObject({ id: z.string().max(100) })
const OWN = [401, 403, 429] as const

/** What is a person’s own, and how a wallet proves that it is. */
export const accountRoutes = (accounts: Accounts, queries?: Pick<QueriesApi, 'requireOwn'>): AnyRoute[] => {
  const { wallets, sessions, keys, aliases } = accounts
  const cookie = (value: string, seconds: number): Record<string, string> => ({
    'set-cookie': [
      `${WALLET_COOKIE}=${value}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(accounts.publicUrl.startsWith('https:') ? ['Secure'] : []),
    ].join('; '),
  })

  return [
    route({
      method: 'GET',
      path: '/config.json',
      id: 'readPeopleConfig',
      summary: 'What a browser needs to sign people in',
      answer: { schema: schemas.peopleConfig },
      kept: 'never',
      handle: async () => json(accounts.shown),
    }),
    route({
      method: 'POST',
      path: '/api/v1/siws/nonce',
      id: 'offerSiws',
      summary: 'A message to sign with the key of an address, once and within ten minutes',
      body: schemas.siwsRequest,
      answer: { schema: schemas.siwsOffer },
      problems: [401, 403, 415, 422, 429],
      kept: 'never',
      isOwn: true,
      handle: async ({ body: { address }, asker }) => json(await wallets.offer(address, asker)),
    }),
    route({
      method: 'POST',
      path: '/api/v1/siws/verify',
      id: 'proveSiws',
      summary: 'Proves an address by the signed message; the session comes as a cookie',
      body: schemas.siwsProof,
      answer: { schema: schemas.provedWallet },
      problems: [401, 403, 415, 422, 429],
      kept: 'never',
      isOwn: true,
      handle: async ({ body: { message, signature }, headers, asker }) => {
        const { address, secret, expiresAt } = await wallets.prove(message, signature, {
          before: walletSecret(headers),
          asker,
          device: String(headers['user-agent'] ?? ''),
        })
        const seconds = Math.round((expiresAt.getTime() - Date.now()) / 1000)
        return { ...json({ address }), headers: cookie(secret, seconds) }
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/siws/session',
      id: 'endSiws',
      summary: 'Ends the wallet session of the cookie',
      answer: { schema: NOTHING, isEmpty: true },
      problems: [403],
      kept: 'never',
      isOwn: true,
      handle: async ({ headers }) => {
        const secret = walletSecret(headers)
        if (secret !== undefined) await wallets.end(secret)
        return done(cookie('', 0))
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/account',
      id: 'readAccount',
      summary: 'The caller, with features, plan, sessions and keys',
      answer: { schema: schemas.account },
      problems: OWN,
      kept: 'never',
      who: 'person',
      handle: async asked => {
        const person = demandPerson(asked.person)
        const [member, held, ownSessions, ownKeys] = await Promise.all([
          accounts.memberOf(person),
          accounts.held(person),
          sessions.list(person),
          keys.list(person),
        ])
        const { kind, id, email, name } = person
        return json({
          person: {
            kind,
            id,
            email: member?.email ?? email,
            isEmailProved: member?.isEmailProved ?? null,
            name,
          },
          features: held.features,
          plan: held.plan,
          trialUntil: held.trialUntil,
          isOperator: accounts.isOperator(person),
          sessions: ownSessions,
          keys: ownKeys,
        })
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/account/confirmation',
      id: 'askConfirmation',
      summary: 'Sends the email confirmation link again',
      answer: { schema: NOTHING, isEmpty: true },
      problems: OWN,
      kept: 'never',
      who: 'person',
      handle: async ({ person, asker }) => {
        const member = await accounts.memberOf(demandPerson(person))
        if (member !== undefined) await accounts.members.askToConfirm(member, asker)
        return done()
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/account/sessions/:id',
      id: 'endSession',
      summary: 'Signs out one of the caller’s devices',
      params: byId,
      answer: { schema: NOTHING, isEmpty: true },
      problems: [...OWN, 404],
      kept: 'never',
      who: 'person',
      handle: async ({ person, params: { id } }) => {
        await sessions.end(demandPerson(person), id)
        return done()
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/account/keys',
      id: 'makeKey',
      summary: 'Makes a key for programs; it is shown in this answer alone',
      body: schemas.keyRequest,
      answer: { schema: schemas.newKey },
      problems: [...OWN, 409, 415],
      kept: 'never',
      who: 'person',
      handle: async ({ person, body: { name, scopes, expires, queries: named } }) => {
        const user = demandPerson(person)
        const ids = named && [...new Set(named)]
        if (ids !== undefined) {
          if (queries === undefined) throw new AccountError('accounts.form', 'This site saves no queries.')
          await queries.requireOwn(ids, user)
        }
        return json(
          await keys.create(user, {
            name,
            scopes: [...new Set(scopes)],
            expires: expires === undefined ? undefined : new Date(expires),
            queries: ids,
          }),
        )
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/account/keys/:id',
      id: 'revokeKey',
      summary: 'Revokes one of the caller’s keys',
      params: byId,
      answer: { schema: NOTHING, isEmpty: true },
      problems: [...OWN, 404],
      kept: 'never',
      who: 'person',
      handle: async ({ person, params: { id } }) => {
        await keys.revoke(demandPerson(person), id)
        return done()
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/account/export',
      id: 'exportAccount',
      summary: 'All data stored about the caller, as one file',
      answer: { schema: z.record(z.string(), z.unknown()) },
      problems: OWN,
      kept: 'never',
      who: 'person',
      handle: async ({ person, asker }) => ({
        ...json(await accounts.export(demandPerson(person), asker)),
        headers: { 'content-disposition': 'attachment; filename="assay-account.json"' },
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/v1/account',
      id: 'deleteAccount',
      summary: 'Permanently deletes all data stored about the caller',
      body: schemas.deletion,
      answer: { schema: NOTHING, isEmpty: true },
      problems: [...OWN, 415],
      kept: 'never',
      who: 'person',
      handle: async ({ person, asker, body: { confirm } }) => {
        if (confirm !== 'delete')
          throw new AccountError(
            'accounts.confirm',
            'Nothing was deleted: `confirm` is not the word “delete”.',
          )
        await accounts.delete(demandPerson(person), asker)
        return done(cookie('', 0))
      },
    }),
    route({
      method: 'GET',
      path: '/api/wallets/aliases/mine',
      id: 'readAliases',
      summary: 'The caller’s names for addresses; [] without sign-in',
      answer: { schema: schemas.aliases },
      problems: [401],
      kept: 'never',
      who: 'anyone',
      // What a key may do is to ask for figures: names are private.
      handle: async ({ person }) =>
        json(person?.scopes.has('read:private') ? await aliases.list(person) : []),
    }),
    route({
      method: 'PUT',
      path: '/api/v1/account/aliases',
      id: 'nameAddress',
      summary: 'Sets the caller’s own name for an address',
      body: schemas.aliasRequest,
      answer: { schema: NOTHING, isEmpty: true },
      problems: [...OWN, 415],
      kept: 'never',
      who: 'person',
      handle: async ({ person, body: { address, alias } }) => {
        await aliases.name(demandPerson(person), address, alias)
        return done()
      },
    }),
  ]
}
