import type { CSSProperties, KeyboardEvent, ReactNode, Ref } from 'react'

type Props = {
  label: string
  className?: string | undefined
  style?: CSSProperties
  ref?: Ref<HTMLElement>
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

/** What scrolls by itself is named and takes the keyboard, or else nobody without a mouse could read its end. */
export function ScrollRegion({ label, children, ...rest }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} {...rest}>
      {children}
    </section>
  )
}
