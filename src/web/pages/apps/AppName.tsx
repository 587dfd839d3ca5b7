import { Link } from 'react-router'
import { APPS, isApp } from './apps.ts'

/** An application by the name that menus give it, which opens its page; its slug where it has none. */
export function AppName({ of }: { of: string }) {
  return isApp(of) ? <Link to={`/${of}`}>{APPS[of]}</Link> : of
}
