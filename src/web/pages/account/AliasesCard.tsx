import { type FormEvent, lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import type { AliasView } from './accountView.ts'
import { useAction } from './useAction.ts'

/** With the wallet's part of the program, for who has one. */
const HubBackup = lazy(async () => ({ default: (await import('./HubBackup.tsx')).HubBackup }))

type Props = {
  people: People
  /** Only a wallet brings a hub of its user’s. */
  isWallet: boolean
}

/** Names that the person gave to addresses of Stacks; nobody else sees them. */
export function AliasesCard({ people, isWallet }: Props) {
  const [aliases, setAliases] = useState<readonly AliasView[]>()
  const { isBusy, failure, run } = useAction()
  const load = useCallback(
    async () => setAliases((await askPerson(people, '/api/wallets/aliases/mine')) as readonly AliasView[]),
    [people],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; what `run` is changes with each drawing
  useEffect(() => void run(load), [load])
  const name = (address: string, alias: string) =>
    askPerson(people, '/api/v1/account/aliases', { method: 'PUT', body: { address, alias } })
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    void run(async () => {
      await name(String(given.get('address')).trim(), String(given.get('alias')).trim())
      form.reset()
      await load()
    })
  }
  return (
    <Card title="Names of addresses" sub="Visible only to you, on the page of each Stacks address.">
      <div className={styles.body}>
        {aliases?.length === 0 && <p>You have named no address.</p>}
        {aliases !== undefined && aliases.length > 0 && (
          <ul className={styles.rows}>
            {aliases.map(({ alias, wallet: { address } }) => (
              <li key={address}>
                <span className={styles.what}>
                  <strong>{alias}</strong>
                  <CopyText text={address} what="the address" isShort />
                </span>
                <Button
                  small
                  disabled={isBusy}
                  aria-label={`Remove the name ${alias}`}
                  onClick={() =>
                    void run(async () => {
                      await name(address, '')
                      await load()
                    })
                  }
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
        )}
        <form className={styles.form} onSubmit={handleSubmit}>
          <label>
            Address
            <input name="address" required maxLength={64} autoComplete="off" spellCheck={false} />
          </label>
          <label>
            Name
            <input name="alias" required maxLength={60} autoComplete="off" />
          </label>
          <Button type="submit" disabled={isBusy}>
            Name it
          </Button>
        </form>
        {failure && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
        {isWallet && aliases !== undefined && (
          <Suspense>
            <HubBackup
              aliases={aliases.map(({ alias, wallet: { address } }) => ({ alias, address }))}
              onRestore={async missing => {
                try {
                  for (const { alias, address } of missing) await name(address, alias)
                } finally {
                  // What came before a refusal has come.
                  await load()
                }
              }}
            />
          </Suspense>
        )}
      </div>
    </Card>
  )
}
