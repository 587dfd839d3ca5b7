export { ALIAS_LENGTH, type Alias } from './aliases.ts'
export type { AccountsConfig, AccountsDeps, KeptOfPeople, Plan } from './config.ts'
export { emailKey, personKey } from './config.ts'
export { AccountError, limitedKey } from './errors.ts'
export { type Grant, holderOf } from './grants.ts'
export { WALLET_COOKIE, walletSecret } from './identify.ts'
export { type ApiKey, KEY_SCOPES, KEY_START, MOST_KEY_QUERIES } from './keys.ts'
export { createLimiter, type Limiter } from './limits.ts'
export { type Accounts, demandPerson, openAccounts } from './openAccounts.ts'
export { oneLine, severalLines } from './plainText.ts'
export { isSameOrigin } from './sameOrigin.ts'
export type { PersonSession } from './sessions.ts'
export { SIWS_TEXTS } from './siws/texts.ts'
export {
  INVITED_ROLES,
  type InvitationOffer,
  TEAM_LIMITS,
  TEAM_ROLES,
  type TeamDetail,
  type Teams,
} from './teams/createTeams.ts'
export { isLikeAddress } from './teams/invitationMail.ts'
export { displayName } from './teams/memberName.ts'
