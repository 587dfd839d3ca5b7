import type { Person } from '#kernel/people.ts'
import { NAME_LENGTH, oneLine } from '../plainText.ts'

/** The name of a person as other users see it. Never an email. */
export const displayName = ({ kind, id, name }: Pick<Person, 'kind' | 'id' | 'name'>): string =>
  oneLine(name ?? '', NAME_LENGTH) ||
  (kind === 'wallet' ? `${id.slice(0, 5)}…${id.slice(-4)}` : 'Unnamed user')
