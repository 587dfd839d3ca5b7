import { useEffect, useRef, useState } from 'react'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import { wordsOf } from '../../people/askPerson.ts'
import { Button } from '../../ui/Button.tsx'
import { callContract } from '../send.ts'
import { ArgumentField } from './ArgumentField.tsx'
import styles from './Call.module.css'
import { argumentOf, type Draft, draftOf, type Faults } from './drafts.ts'
import { Choice } from './Field.tsx'
import { LimitFields } from './LimitFields.tsx'
import { type LimitDraft, limitsOf } from './limits.ts'
import { notSent, walletGone } from './notSent.ts'
import { type Callable, readFunctions } from './readFunctions.ts'
import { Sending, type SendState } from './Sending.tsx'

type Props = { contracts: readonly string[] }

type Reading =
  | { readonly name: 'reading' }
  | { readonly name: 'read'; readonly functions: readonly Callable[] }
  | { readonly name: 'failed'; readonly why: string }

/** Calls a public function of one of some contracts from the connected wallet. */
export function CallPanel({ contracts }: Props) {
  const [contract, setContract] = useState(contracts[0] ?? '')
  const [reading, setReading] = useState<Reading>({ name: 'reading' })
  const [turn, setTurn] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try reads the same once more
  useEffect(() => {
    let isOver = false
    setReading({ name: 'reading' })
    readFunctions(contract).then(
      functions => {
        if (!isOver) setReading({ name: 'read', functions })
      },
      thrown => {
        if (!isOver)
          setReading({
            name: 'failed',
            why: thrown instanceof AssayError ? sentenceOf(thrown) : wordsOf(thrown),
          })
      },
    )
    return () => {
      isOver = true
    }
  }, [contract, turn])
  // What was pressed to open it is gone.
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={box} className={styles.panel} tabIndex={-1}>
      {contracts.length > 1 && (
        <Choice
          label="Contract"
          options={contracts.map(one => [one, one] as const)}
          value={contract}
          onChange={setContract}
        />
      )}
      {reading.name === 'reading' && (
        <p className={styles.words} role="status">
          Reading the interface of the contract …
        </p>
      )}
      {reading.name === 'failed' && (
        <div className={styles.send} role="alert">
          <p className={styles.words}>The interface of this contract is not indexed. {reading.why}</p>
          <Button onClick={() => setTurn(turn + 1)}>Try again</Button>
        </div>
      )}
      {reading.name === 'read' &&
        (reading.functions.length === 0 ? (
          <p className={styles.words}>This contract has no public function: it can only be read.</p>
        ) : (
          <CallForm key={contract} contract={contract} functions={reading.functions} />
        ))}
    </div>
  )
}

function CallForm({ contract, functions }: { contract: string; functions: readonly Callable[] }) {
  const [name, setName] = useState('')
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [limits, setLimits] = useState<readonly LimitDraft[]>([])
  const [isOpen, setOpen] = useState(false)
  const [isTried, setTried] = useState(false)
  const [state, setState] = useState<SendState>({ name: 'typing' })
  const form = useRef<HTMLFormElement>(null)
  const chosen = functions.find(one => one.name === name)
  const found: Faults = new Map()
  const args = chosen?.args.map((arg, i) =>
    argumentOf(arg.type, drafts[i] ?? draftOf(arg.type), String(i), found),
  )
  const held = limitsOf(limits, contract, found)
  // Nobody is told of faults before the first try; from then on each goes as it is corrected.
  const faults: Faults = isTried ? found : new Map()

  function handleChoose(to: string): void {
    setName(to)
    setDrafts(functions.find(one => one.name === to)?.args.map(arg => draftOf(arg.type)) ?? [])
    setTried(false)
    setState({ name: 'typing' })
  }

  async function handleSend(): Promise<void> {
    if (chosen === undefined || args === undefined) return
    setTried(true)
    if (!args.every(one => one !== undefined) || held === undefined) {
      setState({ name: 'marked' })
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    setState({ name: 'asking' })
    await callContract(
      { contract: contract as `${string}.${string}`, functionName: chosen.name, args, limits: held, isOpen },
      {
        onFinish: ({ txid }) => setState({ name: 'sent', txid }),
        onCancel: error => setState(notSent(error)),
        onNoWallet: () => setState(notSent(walletGone())),
      },
    )
  }

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
      }}
    >
      <Choice
        label="Public function"
        options={[['', 'Choose …'], ...functions.map(one => [one.name, one.name] as const)]}
        value={name}
        onChange={handleChoose}
      />
      {chosen !== undefined && (
        <>
          {chosen.args.length === 0 && <p className={styles.words}>It takes no arguments.</p>}
          {chosen.args.map((arg, i) => (
            <ArgumentField
              key={`${name}.${arg.name}`}
              name={arg.name}
              type={arg.type}
              draft={drafts[i] ?? draftOf(arg.type)}
              at={String(i)}
              faults={faults}
              onChange={draft => setDrafts(drafts.with(i, draft))}
            />
          ))}
          <LimitFields
            limits={limits}
            isOpen={isOpen}
            faults={faults}
            onChange={setLimits}
            onOpen={setOpen}
          />
          <Sending
            state={state}
            isFaulty={found.size > 0}
            label={`Call ${name}`}
            onSend={() => void handleSend()}
          />
        </>
      )}
    </form>
  )
}
