import type { MetaDescriptor } from 'react-router'

type PageMeta = {
  title: string
  description: string
  /** Canonical address without the origin. */
  path: string
  publicUrl: string | undefined
}

/** Title, description, canonical link and what a shared link shows. */
export function pageMeta({ title, description, path, publicUrl = '' }: PageMeta): MetaDescriptor[] {
  const full = `${title} · Assay`
  return [
    { title: full },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${publicUrl}${path}` },
    { property: 'og:site_name', content: 'Assay' },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: full },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${publicUrl}${path}` },
    { name: 'twitter:card', content: 'summary' },
  ]
}
