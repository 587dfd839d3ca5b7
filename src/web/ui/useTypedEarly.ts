import { type RefObject, useEffect, useRef } from 'react'
import { typedInto } from '../shell/typed.ts'

/**
 * For a form that the server has drawn. What was typed or chosen in it before its script had come counts: the fields show it again, which hydration
 * sets back, and `take` is told of it once, by the names of the fields. Returns the form’s ref.
 */
export function useTypedEarly(
  take: (typed: ReadonlyMap<string, string>) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the server's form comes to life
  useEffect(() => {
    const typed = typedInto(form.current)
    for (const [name, text] of typed) {
      const field = form.current?.elements.namedItem(name)
      if (isField(field)) field.value = text
    }
    if (typed.size > 0) take(typed)
  }, [])
  return form
}

const isField = (field: unknown): field is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement ||
  field instanceof HTMLSelectElement ||
  field instanceof HTMLTextAreaElement
