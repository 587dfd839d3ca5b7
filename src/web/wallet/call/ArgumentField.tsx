import { type ClarityType, typeText } from '#kernel/clarityType.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Call.module.css'
import { type Draft, draftOf, type Faults } from './drafts.ts'
import { Choice, Field } from './Field.tsx'

type Props = {
  name: string
  type: ClarityType
  draft: Draft
  /** Its place among the faults. */
  at: string
  faults: Faults
  onChange: (draft: Draft) => void
}

const BOOLS = [
  ['', 'Choose …'],
  ['true', 'true'],
  ['false', 'false'],
] as const
const OPTIONALS = [
  ['none', 'none'],
  ['some', 'some'],
] as const
const RESPONSES = [
  ['ok', 'ok'],
  ['err', 'err'],
] as const

/** The fields of one value, by its type: a line for what is typed, a choice for what has forms, fields within fields for the rest. */
export function ArgumentField({ name, type, draft, at, faults, onChange }: Props) {
  const label = (
    <>
      {name} <code>{typeText(type)}</code>
    </>
  )
  const own = faults.get(at)
  const choice = draft.kind === 'choice' ? draft : { kind: 'choice' as const, choice: '', inner: {} }
  const choose = (to: string) => onChange({ ...choice, choice: to })
  const within = (key: string, inner: ClarityType) => (
    <ArgumentField
      name={key}
      type={inner}
      draft={choice.inner[key] ?? draftOf(inner)}
      at={at}
      faults={faults}
      onChange={held => onChange({ ...choice, inner: { ...choice.inner, [key]: held } })}
    />
  )
  switch (type.type) {
    case 'bool':
      return <Choice label={label} options={BOOLS} fault={own} value={choice.choice} onChange={choose} />
    case 'optional':
      return (
        <fieldset className={styles.group}>
          <Choice label={label} options={OPTIONALS} value={choice.choice} onChange={choose} />
          {choice.choice === 'some' && within('some', type.inner)}
        </fieldset>
      )
    case 'response':
      return (
        <fieldset className={styles.group}>
          <Choice label={label} options={RESPONSES} value={choice.choice} onChange={choose} />
          {choice.choice === 'ok' ? within('ok', type.ok) : within('err', type.err)}
        </fieldset>
      )
    case 'tuple': {
      const fields = draft.kind === 'tuple' ? draft.fields : {}
      return (
        <fieldset className={styles.group}>
          <legend>{name}</legend>
          {type.fields.map(field => (
            <ArgumentField
              key={field.name}
              name={field.name}
              type={field.type}
              draft={fields[field.name] ?? draftOf(field.type)}
              at={`${at}.${field.name}`}
              faults={faults}
              onChange={held => onChange({ kind: 'tuple', fields: { ...fields, [field.name]: held } })}
            />
          ))}
        </fieldset>
      )
    }
    case 'list': {
      const items = draft.kind === 'list' ? draft.items : []
      return (
        <fieldset className={styles.group}>
          <legend>{label}</legend>
          {items.map((item, i) => (
            <ArgumentField
              // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place; items leave from the end alone
              key={i}
              name={`${i + 1}.`}
              type={type.item}
              draft={item}
              at={`${at}.${i}`}
              faults={faults}
              onChange={held => onChange({ kind: 'list', items: items.with(i, held) })}
            />
          ))}
          {own !== undefined && <small data-fault>{own}</small>}
          <div className={styles.acts}>
            <Button
              small
              disabled={items.length >= type.most}
              onClick={() => onChange({ kind: 'list', items: [...items, draftOf(type.item)] })}
            >
              Add an item
            </Button>
            {items.length > 0 && (
              <Button small onClick={() => onChange({ kind: 'list', items: items.slice(0, -1) })}>
                Remove the last
              </Button>
            )}
          </div>
        </fieldset>
      )
    }
    default:
      return (
        <Field
          label={label}
          note={noteOf(type)}
          fault={own}
          value={draft.kind === 'text' ? draft.text : ''}
          onChange={text => onChange({ kind: 'text', text })}
          isNumeric={type.type === 'uint'}
        />
      )
  }
}

function noteOf(type: ClarityType): string | undefined {
  switch (type.type) {
    case 'uint':
      return 'A whole number, in the smallest unit where it is an amount'
    case 'int':
      return 'A whole number, with − for one below 0'
    case 'principal':
      return 'SP… of an account, SP….name of a contract'
    case 'trait':
      return 'SP….name of a contract'
    case 'buffer':
      return `Hex, at most ${type.most} bytes`
    case 'string-ascii':
      return `At most ${type.most} characters of ASCII`
    case 'string-utf8':
      return `At most ${type.most} characters`
    default:
      return undefined
  }
}
