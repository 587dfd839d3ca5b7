import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import styles from './Button.module.css'
import { Icon, type IconName } from './Icon.tsx'
import { Tip } from './Tip.tsx'

type Look = { look?: 'primary' | 'outline' | undefined; small?: boolean | undefined }

const pillClass = ({ look = 'outline', small = false }: Look): string =>
  [styles.pill, styles[look], small ? styles.small : ''].join(' ').trim()

/** A pill that does something. */
export function Button({ look, small, type = 'button', ...rest }: Look & ComponentProps<'button'>) {
  return <button type={type} className={pillClass({ look, small })} {...rest} />
}

/** A pill that leads somewhere. */
export function ButtonLink({ look, small, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link className={pillClass({ look, small })} {...rest} />
}

type IconButtonProps = { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'children'>

/** A round button whose name shows as a tip. */
export function IconButton({ icon, label, type = 'button', ...rest }: IconButtonProps) {
  return (
    <Tip text={label}>
      <button type={type} className={styles.icon} aria-label={label} {...rest}>
        <Icon name={icon} />
      </button>
    </Tip>
  )
}

type IconLinkProps = { icon: IconName; label: string; pressed?: boolean } & Omit<
  ComponentProps<typeof Link>,
  'children'
>

/** The same as a link: a state of the page that has its own address. */
export function IconLink({ icon, label, pressed = false, ...rest }: IconLinkProps) {
  return (
    <Tip text={label}>
      <Link className={styles.icon} aria-label={label} aria-current={pressed ? 'true' : undefined} {...rest}>
        <Icon name={icon} />
      </Link>
    </Tip>
  )
}

/** A round link to a file that the server makes, as of the day as of which the page is shown. */
export function FileLink({ icon, label, href }: { icon: IconName; label: string; href: string }) {
  const known = new URLSearchParams(useLocation().search).get('known')
  const file =
    known === null ? href : `${href}${href.includes('?') ? '&' : '?'}known=${encodeURIComponent(known)}`
  return (
    <Tip text={label}>
      <a className={styles.icon} aria-label={label} href={file} download>
        <Icon name={icon} />
      </a>
    </Tip>
  )
}

/** Class of a round control, for a `summary` or a plain `a`. */
export const iconClass = styles.icon ?? ''
