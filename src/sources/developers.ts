import type { Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'

const LICENCE = 'metadata of public histories; license by repository in the catalog'

/** Commits as a recording has them: rows of a table of their own, from which counts follow. */
export const developersRecorded: Recording = {
  id: 'developers.recorded',
  name: 'Commits of 58 repositories, recorded on 2026-08-22',
  url: 'https://git-scm.com/docs/git-log',
  licence: LICENCE,
  rank: 20,
  cadenceSeconds: null,
  about:
    'Full git histories by repository, day and a number drawn by lot for each address: 165,841 commits, 2014-01-22 to 2026-08-22. An address is a person here: who writes under two counts twice, since names were not recorded; one account under two logins is two people for the same reason, and coding agents count as people unless the recording marked them as programs. Bitcoin Core begins in August 2021; lnd, Core Lightning, LDK, eclair, btcd, BIPs and rust-bitcoin in January 2021. Clarinet ends in October 2025, Citrea in October 2024, alex-v1 in November 2023. Commits that forks share with the projects they began from are left out, copies within a repository are not told apart.',
  file: 'developer-commits.csv',
  recordedOn: '2026-08-22',
}

/** Clones of the catalogue's repositories, as this server reads them. */
export const developersGit: SourceDeclaration = {
  id: 'developers.git',
  name: 'Git histories, cloned by this server',
  url: 'https://git-scm.com/docs/git-clone',
  licence: LICENCE,
  rank: 10,
  cadenceSeconds: 86_400,
  about:
    'The default branch of each repository of the catalog, without the contents of files. Addresses and names are kept as keyed hashes alone, and the key stays on this server.',
}

export const DEVELOPER_RECORDINGS: readonly Recording[] = [developersRecorded]
