import { type LoaderFunctionArgs, NavLink, Outlet, useLoaderData } from 'react-router'
import { apiContext } from '#http/context.ts'
import { WithRail } from '../../blocks/WithRail.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { MADE } from './parts.ts'

export async function loader({ context }: LoaderFunctionArgs) {
  const { items } = await answering('The documentation', () => context.get(apiContext).content.guides())
  return { chapters: items.map(({ name, title }) => ({ path: `/documentation/${name}`, title })) }
}

/** The chapters are read once, at the start of the server. */
export const shouldRevalidate = () => false

/** The documentation beside its own contents: a rail, narrow on small desks, a strip above on phones. */
export default function Rail() {
  const { chapters } = useLoaderData<typeof loader>()
  return (
    <WithRail
      label="Documentation"
      contents={
        <>
          <NavLink to="/documentation" end>
            Overview
          </NavLink>
          {[...chapters, ...MADE].map(({ path, title }) => (
            <NavLink key={path} to={path}>
              {title}
            </NavLink>
          ))}
        </>
      }
    >
      <Outlet />
    </WithRail>
  )
}

export const ErrorBoundary = PageError
