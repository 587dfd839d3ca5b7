import { AccountError } from './errors.ts'

/** Argon2id with OWASP's first recommendation: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const

/** Loaded with the first password: it is a native library. */
const argon2 = () => import('@node-rs/argon2')

export const hashPassword = async (password: string): Promise<string> =>
  (await argon2()).hash(password.normalize('NFKC'), COST)

/** Nobody's: who has no account takes as long as who has one. */
let nobody: Promise<string> | undefined

/** Whether the password is that of the hash. Takes as long without a hash, and says false. */
export async function isPassword(hash: string | undefined, password: string): Promise<boolean> {
  if (password.length > PASSWORD_LENGTH.most) return false
  nobody ??= hashPassword('nobody has this password')
  const is = await (await argon2()).verify(hash ?? (await nobody), password.normalize('NFKC'))
  return is && hash !== undefined
}

/** Throws `accounts.form` for a password that is too short, too long, or the email itself. */
export function demandPassword(password: string, email: string): void {
  const { least, most } = PASSWORD_LENGTH
  if ([...password].length < least)
    throw new AccountError('accounts.form', `A password has at least ${least} characters.`)
  if (password.length > most)
    throw new AccountError('accounts.form', `A password has at most ${most} characters.`)
  if (password.toLowerCase() === email.toLowerCase() || new Set(password).size < 4)
    throw new AccountError('accounts.form', 'This password is too easy to guess. Choose another one.')
}
