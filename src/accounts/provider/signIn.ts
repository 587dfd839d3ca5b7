/**
 * An account with the version of its sign-in: what the provider takes for the account, so that everything it writes
 * (sessions, grants, codes, tokens) carries the version under which somebody signed in.
 */
export type SignIn = { readonly account: string; readonly version: number }

/** Version 0 adds nothing, as records of earlier releases have none. */
export const writeSignIn = ({ account, version }: SignIn): string =>
  version === 0 ? account : `${account}#${version}`

/** Account ids contain no `#`. */
export function readSignIn(text: string): SignIn {
  const [, account = text, version = '0'] = /^(.*)#([1-9][0-9]*)$/.exec(text) ?? []
  return { account, version: Number(version) }
}
