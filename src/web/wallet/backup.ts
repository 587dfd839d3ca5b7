import { AssayError } from '#kernel/errors.ts'
import { fieldOf } from './askWallet.ts'
import { decrypt, encrypt } from './cipher.ts'
import { getFile, listFiles, putFile } from './hub/hub.ts'
import { connected } from './sign.ts'

const PATH = 'assay/backup.json'
const VERSION = 1

/** What is kept of a person: names that they gave to addresses, and lists of addresses. */
export type Backup = {
  readonly aliases: readonly { readonly alias: string; readonly address: string }[]
  readonly lists: readonly { readonly name: string; readonly addresses: readonly string[] }[]
}

/**
 * Keeps aliases at the user's own hub, locked with the key that their wallet made for Assay: nobody else can read them, we neither. Lists that
 * an earlier backup holds stay in it, unless others are given. Throws `HubError`, `CipherError`, `backup.form`.
 */
export async function backupAliases({
  aliases,
  lists,
}: Pick<Backup, 'aliases'> & Partial<Backup>): Promise<void> {
  const privateKey = appKey()
  // Learns which version is to be replaced, too.
  const before = await restoreAliases()
  const whole: Backup = { aliases, lists: lists ?? before?.lists ?? [] }
  const locked = await encrypt(JSON.stringify({ version: VERSION, ...whole }), { privateKey })
  await putFile(PATH, JSON.stringify(locked))
}

/** Whether a backup is kept there. Throws `HubError`. */
export const hasBackup = async (): Promise<boolean> => (await listFiles()).includes(PATH)

/** What was kept there; null where nothing was. Throws `HubError`, `CipherError`, `backup.form`. */
export async function restoreAliases(): Promise<Backup | null> {
  const privateKey = appKey()
  const file = await getFile(PATH)
  if (file === null) return null
  const text = await decrypt(new TextDecoder().decode(file.bytes), privateKey)
  return backupIn(text)
}

function backupIn(text: string | Uint8Array): Backup {
  const read: unknown = JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text))
  const [aliases, lists] = [fieldOf(read, 'aliases'), fieldOf(read, 'lists')]
  if (fieldOf(read, 'version') !== VERSION || !Array.isArray(aliases) || !Array.isArray(lists))
    throw new AssayError('backup.form', 'The backup has a form that this version of Assay does not know.', {
      hint: 'It was made by a newer one: reload the page.',
    })
  return {
    aliases: aliases.filter(isAlias),
    lists: lists.filter(isList),
  }
}

const isAlias = (one: unknown): one is Backup['aliases'][number] =>
  typeof fieldOf(one, 'alias') === 'string' && typeof fieldOf(one, 'address') === 'string'

const isList = (one: unknown): one is Backup['lists'][number] => {
  const addresses = fieldOf(one, 'addresses')
  return (
    typeof fieldOf(one, 'name') === 'string' &&
    Array.isArray(addresses) &&
    addresses.every(address => typeof address === 'string')
  )
}

function appKey(): string {
  const { appPrivateKey } = connected().userData
  if (appPrivateKey === null)
    throw new AssayError('backup.key', 'The connected wallet made no key for Assay.', {
      hint: 'Leather and Xverse make one where they sign in by token.',
    })
  return appPrivateKey
}
