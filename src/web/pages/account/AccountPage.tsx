import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { AddressNames } from '../../people/AddressNames.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { usePeople } from '../../people/usePeople.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { AliasesCard } from './AliasesCard.tsx'
import { type AccountView, featureText, timeText } from './accountView.ts'
import { KeysCard } from './KeysCard.tsx'
import { OwnDataCard } from './OwnDataCard.tsx'
import { QuotaCard } from './QuotaCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { TeamsCard } from './TeamsCard.tsx'
import { useInvitation, type WaitingInvitation } from './useInvitation.ts'

/** With the wallet's part of the program, for who has one. */
const WalletPicture = lazy(async () => ({
  default: (await import('../../wallet/WalletPicture.tsx')).WalletPicture,
}))

export const loader = ({ context }: LoaderFunctionArgs) => ({ signUpUrl: context.get(siteContext).signUpUrl })

export const meta = () => [{ title: 'Account · Assay' }, { name: 'robots', content: 'noindex' }]

/** What the server keeps of whoever is signed in, and what they may do with it. Drawn in the browser: pages are the same for all. */
export default function AccountPage() {
  const { signUpUrl } = useLoaderData<typeof loader>()
  const { loading, queryToken, state, people } = usePeople()
  const invitation = useInvitation()
  return (
    <div className={styles.page}>
      <HeadingBlock
        title="Account"
        question="Data that this server stores about you, and how to manage it."
      />
      {people === undefined || loading ? (
        <p className={styles.state} role="status">
          Looking who is signed in here …
        </p>
      ) : state.isUnproved ? (
        <Unproved people={people} address={state.wallet.address ?? ''} />
      ) : queryToken === null ? (
        <Nobody people={people} signUpUrl={signUpUrl} isInvited={invitation.token !== undefined} />
      ) : (
        <Somebody key={queryToken} people={people} invitation={invitation} />
      )}
    </div>
  )
}

function Nobody({ people, signUpUrl, isInvited }: { people: People; signUpUrl: string; isInvited: boolean }) {
  return (
    <Card title="You are not signed in">
      <div className={styles.body}>
        {isInvited && <p role="status">You are invited to a team. Sign in to join it.</p>}
        <p>
          Everything public can be read without an account. Sign in to see your features, sessions, keys and
          names.
        </p>
        <p className={styles.row}>
          <Button look="primary" onClick={() => void people.signIn('/account')}>
            Sign In
          </Button>
          <Button onClick={() => people.openWallets('connect')}>Connect Wallet</Button>
          <ButtonLink to={signUpUrl}>Sign Up</ButtonLink>
        </p>
      </div>
    </Card>
  )
}

function Unproved({ people, address }: { people: People; address: string }) {
  return (
    <Card title="Your address is not proved">
      <div className={styles.body}>
        <p>
          The wallet is connected with <CopyText text={address} what="the address" isShort />. The server
          shows what is yours only to who proves it: sign one message with the wallet.
        </p>
        <p className={styles.row}>
          <Button look="primary" onClick={() => people.openWallets('prove')}>
            Prove your address
          </Button>
          <Button onClick={() => void people.disconnectWallet()}>Disconnect Wallet</Button>
        </p>
      </div>
    </Card>
  )
}

function Somebody({ people, invitation }: { people: People; invitation: WaitingInvitation }) {
  const [account, setAccount] = useState<AccountView>()
  const [failure, setFailure] = useState<string>()
  const load = useCallback(async () => {
    try {
      // The server's own schema makes this answer.
      setAccount((await askPerson(people, '/api/v1/account')) as AccountView)
      setFailure(undefined)
    } catch (error) {
      setFailure(wordsOf(error))
    }
  }, [people])
  useEffect(() => void load(), [load])
  if (failure !== undefined)
    return (
      <Card title="The account could not be read">
        <div className={styles.body} role="alert">
          <p>{failure}</p>
          <p>
            <Button onClick={() => void load()}>Try again</Button>
          </p>
        </div>
      </Card>
    )
  if (account === undefined)
    return (
      <p className={styles.state} role="status">
        Reading your account …
      </p>
    )
  const { person, features, plan, trialUntil, isOperator } = account
  const held = Object.keys(features).filter(name => features[name] === true)
  return (
    <>
      <Card title="Who you are">
        <Facts
          facts={[
            {
              label: 'Signed in with',
              value: person.kind === 'account' ? 'an account' : 'a Stacks wallet, proved by a signature',
            },
            ...(person.name === null ? [] : [{ label: 'Name', value: person.name }]),
            ...(person.email === null
              ? []
              : [
                  {
                    label: 'Email',
                    value: `${person.email}${person.isEmailProved === false ? ' (not confirmed yet)' : ''}`,
                  },
                ]),
            {
              label: person.kind === 'account' ? 'Id' : 'Address',
              value: <CopyText text={person.id} what="it" isShort />,
            },
            ...(person.kind === 'wallet'
              ? [
                  { label: 'Names', value: <AddressNames address={person.id} /> },
                  {
                    label: 'Profile of the wallet',
                    value: (
                      <Suspense fallback="…">
                        <WalletPicture />
                      </Suspense>
                    ),
                  },
                ]
              : []),
            ...(isOperator ? [{ label: 'Role', value: 'Operator of this server' }] : []),
          ]}
        />
        {person.isEmailProved === false && <ConfirmEmail people={people} />}
      </Card>
      <Card title="What you may use">
        <div className={styles.body}>
          {held.length === 0 ? (
            <p>You have no features on this server. Pricing lists the plans.</p>
          ) : (
            <ul className={styles.list}>
              {held.map(name => (
                <li key={name}>
                  <strong>{featureText(name)}</strong> <code>{name}</code>{' '}
                  <span className={styles.quiet}>
                    {plan?.features.includes(name)
                      ? `by your plan, ${plan.name}`
                      : 'granted by the operator or a trial'}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {trialUntil && <p className={styles.quiet}>A trial runs until {timeText(trialUntil)}.</p>}
          <p className={styles.row}>
            <ButtonLink to="/pricing">Pricing</ButtonLink>
          </p>
        </div>
      </Card>
      <SessionsCard people={people} sessions={account.sessions} onChange={load} />
      <QuotaCard people={people} />
      <KeysCard people={people} keys={account.keys} onChange={load} />
      <TeamsCard
        people={people}
        invitation={invitation}
        hasConfirmedEmail={person.email !== null && person.isEmailProved !== false}
      />
      <AliasesCard people={people} isWallet={person.kind === 'wallet'} />
      <OwnDataCard people={people} />
    </>
  )
}

function ConfirmEmail({ people }: { people: People }) {
  const [said, setSaid] = useState<string>()
  const handleClick = async () => {
    try {
      await askPerson(people, '/api/v1/account/confirmation', { method: 'POST' })
      setSaid('Email sent. Open its link in this browser.')
    } catch (error) {
      setSaid(wordsOf(error))
    }
  }
  return (
    <p className={`${styles.body} ${styles.row}`}>
      <Button small onClick={() => void handleClick()}>
        Resend confirmation email
      </Button>
      <span role="status">{said}</span>
    </p>
  )
}

export const ErrorBoundary = PageError
