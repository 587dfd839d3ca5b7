import { type ComponentProps, createContext, useContext } from 'react'
import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'

/** Where a chart that stands alone in a frame of another site belongs; nothing on our own pages. */
export type Embedded = {
  /** Path of the page that has the chart. */
  page: string
}

export const EmbedContext = createContext<Embedded | undefined>(undefined)

/** Keys of the frame’s address that are not the page’s. */
export const EMBED_KEYS = ['page', 'chart', 'theme'] as const

/** Address of a chart alone, in the state at hand. */
export function embedHref(page: string, search: string, chart: string): string {
  const query = new URLSearchParams(search)
  // What other charts of the page show is not its business.
  for (const key of [...query.keys()])
    if (key.startsWith('assay') || (key.includes('.') && !key.startsWith(`${chart}.`))) query.delete(key)
  query.set('page', page)
  query.set('chart', chart)
  return `/embed/chart?${query.toString().replaceAll('%2F', '/')}`
}

/** The page’s own part of the frame’s address. */
export function pageSearch(search: string): string {
  const query = new URLSearchParams(search)
  for (const key of EMBED_KEYS) query.delete(key)
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Where a figure’s assay view is: over the page at hand, or, from a frame, on the page that the chart belongs to. */
export function useAssayAddress(): (assay: string, day?: string) => string {
  const { search } = useLocation()
  const embedded = useContext(EmbedContext)
  return (assay, day) =>
    embedded
      ? `${embedded.page}${addressOfAssay(pageSearch(search), assay, day)}`
      : addressOfAssay(search, assay, day)
}

type Props = Omit<ComponentProps<typeof Link>, 'to'> & { assay: string; day?: string | undefined }

/** Opens a figure’s assay view; from a frame in a tab of its own. */
export function AssayLink({ assay, day, ...rest }: Props) {
  const address = useAssayAddress()
  const isFramed = useContext(EmbedContext) !== undefined
  return (
    <Link
      to={address(assay, day)}
      preventScrollReset
      {...(isFramed && { target: '_blank', reloadDocument: true })}
      {...rest}
    />
  )
}
