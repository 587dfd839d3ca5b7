import { useEffect, useState } from 'react'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import { wordsOf } from '../../people/askPerson.ts'
import { Button } from '../../ui/Button.tsx'
import { type Backup, backupAliases, hasBackup, restoreAliases } from '../../wallet/backup.ts'
import { storedSession } from '../../wallet/session.ts'
import { readHubHosts } from '../../wallet/settings.ts'
import { walletOf } from '../../wallet/wallets.ts'
import styles from './Account.module.css'

type Aliases = Backup['aliases']

type Props = {
  aliases: Aliases
  /** Gives names to addresses that have none. */
  onRestore: (missing: Aliases) => Promise<void>
}

type Hub =
  | { readonly name: 'looking' }
  /** There is none that can be asked, and why. */
  | { readonly name: 'none'; readonly why: string }
  | { readonly name: 'there'; readonly host: string; readonly hasBackup: boolean }

type Work = { readonly isBusy: boolean; readonly said?: string; readonly failure?: string }

/** Keeps the names at the user’s own hub, locked with a key that only their wallet has, and brings them back. */
export function HubBackup({ aliases, onRestore }: Props) {
  const [hub, setHub] = useState<Hub>({ name: 'looking' })
  const [work, setWork] = useState<Work>({ isBusy: false })
  useEffect(() => {
    let isOver = false
    findHub().then(
      found => {
        if (!isOver) setHub(found)
      },
      thrown => {
        if (!isOver) setHub({ name: 'none', why: sentenceOf(thrown) })
      },
    )
    return () => {
      isOver = true
    }
  }, [])

  async function run(doing: string, step: () => Promise<string>): Promise<void> {
    setWork({ isBusy: true, said: doing })
    try {
      setWork({ isBusy: false, said: await step() })
    } catch (thrown) {
      // The hub and the lock speak for themselves; names are given by our server.
      const failure = thrown instanceof AssayError ? sentenceOf(thrown) : wordsOf(thrown)
      setWork({ isBusy: false, failure })
    }
  }
  const handleBackup = () =>
    run('Locking and sending …', async () => {
      await backupAliases({ aliases })
      setHub(before => (before.name === 'there' ? { ...before, hasBackup: true } : before))
      return `Stored at your hub: ${namesText(aliases.length)}.`
    })
  const handleRestore = () =>
    run('Reading and unlocking …', async () => {
      const kept = await restoreAliases()
      if (kept === null) return 'Your hub has no Assay backup any more.'
      const named = new Map(aliases.map(({ alias, address }) => [address, alias]))
      const missing = kept.aliases.filter(({ address }) => !named.has(address))
      const other = kept.aliases.filter(({ alias, address }) => (named.get(address) ?? alias) !== alias)
      await onRestore(missing)
      return [
        `Restored ${namesText(missing.length)} of ${kept.aliases.length}.`,
        other.length > 0 &&
          `${namesText(other.length)} that you have changed since stayed as ${other.length === 1 ? 'it was' : 'they were'}.`,
      ]
        .filter(Boolean)
        .join(' ')
    })

  return (
    <div className={styles.hub}>
      <h3>Backup at your own hub</h3>
      {hub.name === 'looking' && <p role="status">Asking your hub …</p>}
      {hub.name === 'none' && <p className={styles.quiet}>{hub.why}</p>}
      {hub.name === 'there' && (
        <>
          <p className={styles.quiet}>
            Your wallet provided the hub <code>{hub.host}</code>. Data stored there is encrypted with a key
            that only your wallet has. Neither the hub nor this server can read it.{' '}
            {hub.hasBackup ? 'It has a backup of yours. A new one replaces it.' : 'No backup yet.'}
          </p>
          <p className={styles.row}>
            <Button disabled={work.isBusy || aliases.length === 0} onClick={() => void handleBackup()}>
              Back up
            </Button>
            <Button disabled={work.isBusy || !hub.hasBackup} onClick={() => void handleRestore()}>
              Restore
            </Button>
            {aliases.length === 0 && <span className={styles.quiet}>There is no name to back up.</span>}
          </p>
        </>
      )}
      <p role="status" className={styles.quiet}>
        {work.said}
      </p>
      {work.failure && (
        <p role="alert" className={styles.failure}>
          {work.failure}
        </p>
      )}
    </div>
  )
}

const namesText = (count: number): string => (count === 1 ? '1 name' : `${count} names`)

/** The hub of the connected wallet’s user, asked whether it holds a backup. Throws `HubError`. */
async function findHub(): Promise<Hub> {
  const user = storedSession()?.userData
  if (user === undefined)
    return { name: 'none', why: 'No wallet is connected in this browser. Connect one to reach your hub.' }
  const { hubUrl, appPrivateKey, walletId } = user
  if (!hubUrl || !appPrivateKey)
    return {
      name: 'none',
      why: `${walletOf(walletId).name} signed in with its address only, without a hub. Leather and Xverse provide one if they sign in by token.`,
    }
  const { origin, host } = URL.parse(hubUrl) ?? {}
  if (origin === undefined || !(await readHubHosts()).includes(origin))
    return {
      name: 'none',
      why: `This site does not use your wallet’s hub, ${host ?? hubUrl}. Its operator can allow it (HUB_HOSTS).`,
    }
  return { name: 'there', host: host ?? '', hasBackup: await hasBackup() }
}
