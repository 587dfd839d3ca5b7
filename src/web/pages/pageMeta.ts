import type { MetaDescriptor } from 'react-router'

type PageMeta = {
  title: string
  description: string
  /** Canonical address without the origin. */
  path: string
  publicUrl: string | undefined
}

/** Title, description and canonical link. What a shared link shows follows from these, on the server (`share/head.ts`). */
export const pageMeta = ({ title, description, path, publicUrl = '' }: PageMeta): MetaDescriptor[] => [
  { title: `${title} · Assay` },
  { name: 'description', content: description },
  { tagName: 'link', rel: 'canonical', href: `${publicUrl}${path}` },
]
