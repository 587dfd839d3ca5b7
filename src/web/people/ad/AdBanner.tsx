import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { isLocalPath } from '#kernel/localPath.ts'
import { Icon } from '../../ui/Icon.tsx'
import { askPerson } from '../askPerson.ts'
import { type Ad, type AdEvent, adAfter, adAtStart } from '../states/adState.ts'
import { usePeople } from '../usePeople.ts'
import styles from './AdBox.module.css'
import { isReserved, reserveAd } from './adWindow.ts'

/** Over https, or on this site. */
const isLink = (link: string): boolean => link.startsWith('https://') || isLocalPath(link)

/** The longest that a timer of a browser waits, ms. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Of this window, whoever reads in it: what was dismissed stays away while it is open. */
let latest = adAtStart

/**
 * The ad that runs now, told of when it is shown, clicked and dismissed. Without one the box goes. Where the box was not reserved at the
 * first paint, it comes with the next page that is opened, and where an ad ends it goes with that one: what is read must not jump.
 */
export function AdBanner() {
  const { people, loading } = usePeople()
  const [state, setState] = useState(latest)
  const happen = useCallback(
    (event: AdEvent) => {
      const { state: next, tell } = adAfter(latest, event)
      latest = next
      setState(next)
      if (tell === undefined || next.ad === undefined || people === undefined) return
      // That nobody hears of it is no matter of the reader's.
      askPerson(people, '/api/cms/ads/events', {
        method: 'POST',
        body: { id: next.ad._id, event: tell },
        isKept: true,
      }).catch(() => {})
    },
    [people],
  )
  const { pathname } = useLocation()
  const first = useRef(pathname)
  const [ads, setAds] = useState<readonly Ad[]>()
  useEffect(() => {
    // What the reader may use is known first.
    if (people === undefined || loading || ads !== undefined) return
    askPerson(people, '/api/cms/ads').then(
      answer => {
        const found = Array.isArray(answer) ? (answer as Ad[]) : []
        setAds(found)
      },
      () => reserveAd(false),
    )
  }, [people, loading, ads])
  useEffect(
    // Who has features from now on is shown none.
    () => () => {
      happen({ on: 'features' })
      reserveAd(false)
    },
    [happen],
  )
  useEffect(() => {
    if (ads === undefined || !(isReserved() || pathname !== first.current)) return
    happen({ on: 'loaded', ads, now: Date.now() })
    reserveAd(latest.name === 'shown')
  }, [ads, pathname, happen])
  const { name, ad } = state
  const end = name === 'shown' ? ad?.end : undefined
  useEffect(() => {
    if (ads === undefined || end === undefined) return
    const look = () => happen({ on: 'loaded', ads, now: Date.now() })
    const timer = setTimeout(look, Math.min(Date.parse(end) - Date.now(), LONGEST_WAIT_MS))
    return () => clearTimeout(timer)
  }, [ads, end, happen])
  if (name !== 'shown' || ad === undefined) return null
  return (
    <>
      <div className={styles.head}>
        <span>Advertisement</span>
        <button
          type="button"
          className={styles.dismiss}
          aria-label="Dismiss the advertisement"
          onClick={() => {
            happen({ on: 'cancel' })
            reserveAd(false)
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      <a
        className={styles.picture}
        href={isLink(ad.link) ? ad.link : undefined}
        target="_blank"
        rel="noopener sponsored"
        onClick={() => happen({ on: 'click' })}
      >
        <img src={ad.image} alt={ad.title} />
      </a>
    </>
  )
}
