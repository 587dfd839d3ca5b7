import { KINDS, type Path, type Scope, type Speaker, type Told } from './placeholders.ts'
import { plain, type SentencePart } from './sentence.ts'
import { past } from './verbs.ts'

/** A sentence with gaps, ready to be spoken. Null where a gap that is needed has nothing to say. */
export type Pattern = {
  speak(told: Told): SentencePart[] | null
  /** Begins with a verb, which a sentence writes with a capital. A name at the beginning stays as it is. */
  readonly hasVerb: boolean
  readonly hasApp: boolean
}

/** What is wrong with a pattern, as a reason for whoever wrote it. */
export class PatternFault extends Error {}

/**
 * Reads a pattern: text, `{kind path …}` for what a call or print says, `[…]` around what is left out where a gap within has nothing
 * to say (`[one|other]`: the first that has), `~verb` for a verb. The first word is a verb too, but for a pattern that begins with a capital. Throws `PatternFault`.
 */
export function parsePattern(text: string, scope: Scope): Pattern {
  const reading = { text, at: 0 }
  const speakers: Speaker[] = []
  const verb = /^[a-z]+/.exec(text)?.[0]
  if (verb !== undefined) {
    speakers.push(verbSpeaker(verb))
    reading.at = verb.length
  } else if (!/^[A-Z{]/.test(text)) throw new PatternFault('begins neither with a verb nor with a capital')
  const hasApp = text.includes('{app}')
  speakers.push(...readSpeakers(reading, scope, false))
  return {
    hasApp,
    hasVerb: verb !== undefined,
    speak: told => spoken(speakers, told),
  }
}

type Reading = { readonly text: string; at: number }

const NEXT = /[[\]{~|]/g

function readSpeakers(reading: Reading, scope: Scope, isInside: boolean): Speaker[] {
  let speakers: Speaker[] = []
  const others: Speaker[][] = []
  const { text } = reading
  while (reading.at < text.length) {
    NEXT.lastIndex = reading.at
    const found = NEXT.exec(text)
    const end = found?.index ?? text.length
    if (end > reading.at) {
      const words = [plain(text.slice(reading.at, end))]
      speakers.push(() => words)
    }
    reading.at = end + 1
    switch (found?.[0]) {
      case undefined:
        return ended(speakers, isInside)
      case ']':
        if (!isInside) throw new PatternFault('has a "]" without its "["')
        return [firstOf([...others, speakers])]
      case '|':
        if (!isInside) throw new PatternFault('has a "|" outside of "[" and "]"')
        others.push(speakers)
        speakers = []
        break
      case '[': {
        speakers.push(...readSpeakers(reading, scope, true))
        break
      }
      case '~': {
        const verb = /[a-z]+/y
        verb.lastIndex = reading.at
        const [word = ''] = verb.exec(text) ?? []
        reading.at += word.length
        speakers.push(verbSpeaker(word))
        break
      }
      default: {
        const close = text.indexOf('}', reading.at)
        if (close < 0) throw new PatternFault('has a "{" without its "}"')
        speakers.push(gapOf(text.slice(reading.at, close), scope))
        reading.at = close + 1
      }
    }
  }
  return ended(speakers, isInside)
}

/** The first alternative that has something to say; nothing where none has. */
const firstOf =
  (alternatives: readonly (readonly Speaker[])[]): Speaker =>
  told => {
    for (const speakers of alternatives) {
      const parts = spoken(speakers, told)
      if (parts !== null) return parts
    }
    return []
  }

function ended(speakers: Speaker[], isInside: boolean): Speaker[] {
  if (isInside) throw new PatternFault('has a "[" without its "]"')
  return speakers
}

function gapOf(text: string, scope: Scope): Speaker {
  const [kind = '', ...words] = text.trim().split(/\s+/)
  const make = KINDS[kind]
  if (make === undefined)
    throw new PatternFault(`has the kind "${kind}", and there are ${Object.keys(KINDS).join(', ')}`)
  return make(words, {
    path: word => pathOf(word, scope),
    fault: reason => new PatternFault(`{${text}} ${reason}`),
  })
}

function pathOf(word: string, scope: Scope): Path {
  const [first = '', ...fields] = word.split('.')
  if (scope.args === null) return { index: null, fields: word === 'value' ? [] : [first, ...fields] }
  const index = scope.args.indexOf(first)
  if (index < 0)
    throw new PatternFault(`speaks of "${first}", and the arguments are ${scope.args.join(', ') || 'none'}`)
  return { index, fields }
}

function verbSpeaker(verb: string): Speaker {
  const before = past(verb)
  if (before === undefined)
    throw new PatternFault(`has the verb "${verb}", which is none of those that are known`)
  const done = [plain(before)]
  const asked = [plain(verb)]
  return told => (told.isDone === true ? done : asked)
}

function spoken(speakers: readonly Speaker[], told: Told): SentencePart[] | null {
  const parts: SentencePart[] = []
  for (const speak of speakers) {
    const said = speak(told)
    if (said === null) return null
    for (const part of said) parts.push(part)
  }
  return parts
}
