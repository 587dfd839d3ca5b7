import { redirect } from 'react-router'

/** Until the compare page exists, the site opens on the page that does. */
export const loader = () => redirect('/bitcoin', 302)

export default function HomeRedirect() {
  return null
}
