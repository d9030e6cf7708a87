import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskFront, startDeskFront } from '../../../tests/support/desk-front'

let front: DeskFront
let folder = ''
let clearCache: () => void

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-site-'))
  front = await startDeskFront({
    DATA_DIR: folder,
    MAIL_FROM: 'Operator <operator@school.example>',
  })
  const { pageCache } = await import('~/server/cache/cache-public-pages.server')
  clearCache = () => pageCache.clear()
  await front.signUp('owner', 'owner')
})
afterAll(async () => {
  await front.stop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await front.db.delete(tables.siteVersions)
  await (await import('~/server/site/site.server')).refreshSite(front.db)
})

const desk = (form: Record<string, string>, page = 'Site') =>
  front.post('owner', `/Desk/${page}`, form)

/** Gets a page as visitors see it after the second in which processes notice a change. */
function visit(address: string) {
  clearCache()
  return front.get('visitor', address)
}

const versionsOf = (part: string) =>
  front.db
    .select()
    .from(tables.siteVersions)
    .where(eq(tables.siteVersions.part, part))
    .orderBy(tables.siteVersions.version)

describe('the name of the school', () => {
  it('is on every page, in titles and shared links, in the manifest and in mail, once an owner has changed it', async () => {
    expect((await visit('/')).body).toContain('<title>Learn whatever you want · Learnify</title>')
    const saved = await desk({ act: 'name', seen: '0', name: 'Chess & Co' })
    expect([saved.status, saved.body.includes('Name: saved.')]).toEqual([200, true])
    const { body } = await visit('/')
    expect(body).toContain('<title>Learn whatever you want · Chess &amp; Co</title>')
    expect(body).toContain('content="Chess &amp; Co"')
    expect(body).toContain('data-site="Chess &amp; Co"')
    expect(body).toContain('Made with Learnify')
    expect(JSON.parse((await front.get('visitor', '/site.webmanifest')).body).name).toBe(
      'Chess & Co',
    )
    const { composeLetter } = await import('~/server/mail/mail-letter.server')
    const link = { label: 'Open', href: 'https://school.example' }
    expect(composeLetter({ subject: 'Hi', before: [], link, after: [] }).text).toContain(
      'The Chess & Co team',
    )
  })

  it('is a version with an undo, and in the audit with its old and new value', async () => {
    await desk({ act: 'name', seen: '0', name: 'One' })
    await desk({ act: 'name', seen: '1', name: 'Two' })
    const undone = await desk({ act: 'restore', part: 'name', version: '1', seen: '2' })
    expect(undone.status).toBe(200)
    expect((await versionsOf('name')).map(({ value }) => value)).toEqual(['One', 'Two', 'One'])
    await desk({ act: 'restore', part: 'name', version: '0', seen: '3' }, 'Site/History')
    expect((await visit('/Terms')).body).toContain('Terms and conditions · Learnify')
    const acts = await front.db
      .select()
      .from(tables.operatorActs)
      .where(eq(tables.operatorActs.subject, 'name'))
    expect(acts.find(({ changes }) => changes?.name?.to === 'Two')).toMatchObject({
      act: 'site change',
      by: front.uidOf('owner'),
      arguments: { version: 2 },
      changes: { name: { from: 'One', to: 'Two' } },
    })
    const history = await front.get('owner', '/Desk/Site/History')
    expect(history.body.match(/Use again: Name/g)).toHaveLength(3)
  })

  it('isn’t overwritten by an owner who saw an older one', async () => {
    await desk({ act: 'name', seen: '0', name: 'One' })
    const late = await desk({ act: 'name', seen: '0', name: 'Two' })
    expect([late.status, late.body.includes('Somebody has changed this in the meantime')]).toEqual([
      400,
      true,
    ])
    expect(late.body).toContain('value="Two"')
    const both = await Promise.all(['A', 'B'].map((name) => desk({ act: 'name', seen: '1', name })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it.each(['', 'x'.repeat(61), 'a<b'])('can’t be ‘%s’', async (name) => {
    expect((await desk({ act: 'name', seen: '0', name })).status).toBe(400)
    expect(await versionsOf('name')).toEqual([])
  })
})

describe('the accent color', () => {
  it('that can’t be read is refused with one that can, which is taken if asked for', async () => {
    const refused = await desk({ act: 'accent', seen: '0', light: '#FF6600', dark: '' })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain(
      '#ff6600 has a contrast of 2.6:1, and text needs 4.5:1. #c53c00 would pass.',
    )
    expect(
      (await desk({ act: 'accent', seen: '0', light: '#FF6600', dark: '', nearest: 'on' })).status,
    ).toBe(200)
    const { body } = await visit('/')
    const address = /\/brand\/accent-[\w-]+\.css/.exec(body)?.[0] ?? ''
    const style = await front.get('visitor', address)
    expect(style.headers['content-type']).toContain('text/css')
    expect(style.headers['cache-control']).toContain('immutable')
    expect(style.body).toContain('--color-accent:light-dark(#c53c00,#ff6600)')
  })

  it('is of no other shape, and neither is its style sheet', async () => {
    for (const light of ['red', '#fff', 'url(//evil.example)', '#12345g']) {
      expect((await desk({ act: 'accent', seen: '0', light, dark: '' })).status).toBe(400)
    }

    for (const name of ['accent-1-ffffff.css', 'accent-1-zzzzzz-ffffff.css', 'x.css']) {
      expect((await front.get('visitor', `/brand/${name}`)).status).toBe(404)
    }
  })
})

describe('the footer', () => {
  const form = {
    act: 'footer',
    seen: '0',
    'title-0': 'School',
    'label-0-0': 'About us',
    'to-0-0': 'school.example/about',
  }

  it('has the owner’s links', async () => {
    expect((await desk({ ...form, 'label-0-2': 'Courses', 'to-0-2': '/AllCourses' })).status).toBe(
      200,
    )
    const { body } = await visit('/Terms')
    expect(body).toContain('href="https://school.example/about"')
    expect(body).not.toContain('Become an instructor')
  })

  it.each(['javascript:alert(1)', '//evil.example', 'data:text/html,x'])(
    'never leads to %s',
    async (to) => {
      expect((await desk({ ...form, 'to-0-0': to })).status).toBe(400)
    },
  )

  it('has the links in the order of their places: one takes the place that is chosen, and the others make room', async () => {
    const rows = (...names: string[]) =>
      Object.fromEntries(
        names.flatMap((name, row) => [
          [`label-0-${row}`, name],
          [`to-0-${row}`, `/Pages/${name}`],
        ]),
      )
    const orderWith = async (seen: string, places: Record<string, string>) => {
      await desk({
        act: 'footer',
        seen,
        'title-0': 'School',
        ...rows('a', 'b', 'c', 'd'),
        ...places,
      })

      return [...(await visit('/Terms')).body.matchAll(/href="\/Pages\/([a-d])"/g)]
        .map(([, name]) => name)
        .join('')
    }

    expect(await orderWith('0', { 'place-0-3': '2' })).toBe('adbc')
    expect(await orderWith('1', { 'place-0-0': '3' })).toBe('bcad')
    expect(await orderWith('2', { 'place-0-0': '2', 'place-0-1': '1', 'place-0-2': '3' })).toBe(
      'bacd',
    )
    expect(await orderWith('3', { 'place-0-0': '9', 'place-0-1': 'x' })).toBe('bcda')
  })

  it('has no heading and no words twice', async () => {
    expect((await desk({ ...form, 'label-0-1': 'About us', 'to-0-1': '/' })).status).toBe(400)
    expect((await desk({ ...form, 'title-1': 'School' })).status).toBe(400)
  })
})

describe('pictures', () => {
  /** Sends a form with a file. */
  async function upload(
    act: string,
    seen: string,
    picture: Buffer,
    more: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ act, seen, ...more })) {
      form.append(name, value)
    }

    form.append('picture', new Blob([new Uint8Array(picture)]), 'logo.png')
    const request = new Request('http://x', { method: 'POST', body: form })
    const { Host, Origin } = front.headers

    return fetch(`http://127.0.0.1:${front.port}/Desk/Site`, {
      method: 'POST',
      headers: {
        ...{ 'X-Forwarded-Host': Host, Origin, Cookie: front.cookieOf('owner') },
        'Content-Type': request.headers.get('content-type') ?? '',
      },
      body: await request.arrayBuffer(),
    })
  }

  const drawn = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#ff6600' } })
      .png()
      .toBuffer()

  it('of the logo are in the header of every page and on certificates, and stay for the versions', async () => {
    expect((await upload('logo', '0', await drawn(1600, 400))).status).toBe(200)
    const { body } = await visit('/')
    const [, address = ''] =
      /src="(\/brand\/logo-[0-9a-f]{16}\.png)" width="384" height="96" alt="Learnify"/.exec(body) ??
      []
    const picture = await front.get('visitor', address)
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
    const { findSiteLogo } = await import('~/server/site/brand-files.server')
    expect(await findSiteLogo(front.db)).toMatchObject({ width: 384, isWide: true })
    await desk({ act: 'logo', seen: '1', remove: 'on' })
    expect((await visit('/')).body).not.toContain('/brand/')
    await desk({ act: 'restore', part: 'logo', version: '1', seen: '2' })
    expect((await visit('/')).body).toContain(address)
  })

  it('of the logo is on the pictures of shared courses instead of Learnify’s mark; with a name alone, there is no mark', async () => {
    const colorOfMark = async () => {
      const answer = await fetch(
        `http://127.0.0.1:${front.port}/OneCourse/python-from-zero/picture.jpg`,
        {
          headers: { 'X-Forwarded-Host': front.headers.Host },
        },
      )
      const place = { left: 100, top: 72, width: 8, height: 8 }
      const picture = sharp(Buffer.from(await answer.arrayBuffer()))
        .extract(place)
        .resize(1, 1)

      return [...(await picture.raw().toBuffer())].map((amount) => Math.round(amount / 100))
    }
    const [mark, paper, logo] = [
      [1, 1, 3],
      [0, 0, 0],
      [3, 1, 0],
    ]

    expect(await colorOfMark()).toEqual(mark)
    await desk({ act: 'name', seen: '0', name: 'I' })
    expect(await colorOfMark()).toEqual(paper)
    await upload('logo', '0', await drawn(1600, 400))
    expect(await colorOfMark()).toEqual(logo)
  })

  it('of the icon and for shared links are where browsers and other sites look', async () => {
    await upload('icon', '0', await drawn(300, 200))
    await upload('sharePicture', '0', await drawn(300, 200))
    const { body } = await visit('/')
    expect(body).toMatch(/<link rel="icon" href="\/brand\/icon-\w+\.png"\/>/)
    expect(body).toMatch(/<link rel="apple-touch-icon" href="\/brand\/touch-\w+\.png"\/>/)
    expect(body).toMatch(/og:image" content="http:\/\/localhost:3000\/brand\/share-\w+\.jpg"/)
    const manifest = JSON.parse((await front.get('visitor', '/site.webmanifest')).body)
    expect(manifest.icons[0].src).toMatch(/^\/brand\/icon-/)
  })

  it('are removed with the last version that names them, of which the last hundred stay', async () => {
    await front.db.delete(tables.sitePictures)
    await upload('logo', '0', await drawn(300, 100))
    await upload('icon', '0', await drawn(300, 200))
    const names = async () =>
      (await front.db.select().from(tables.sitePictures)).map(({ name }) => name.split('-')[0])
    const { versionsKept } = await import('~/features/desk/site/site-changes.server')
    const rows = Array.from({ length: versionsKept - 2 }, (_, index) => ({
      ...{ part: 'logo', version: index + 2, by: front.uidOf('owner') },
      value: index % 2 ? { logo: 'logo-0123456789abcdef.png', width: 3, height: 1 } : null,
    }))
    await front.db.insert(tables.siteVersions).values(rows)
    await desk({ act: 'logo', seen: String(versionsKept - 1), remove: 'on' })
    expect([(await names()).toSorted(), (await versionsOf('logo')).length]).toEqual([
      ['icon', 'logo', 'touch'],
      versionsKept,
    ])
    expect((await upload('logo', String(versionsKept), await drawn(200, 50))).status).toBe(200)
    const versions = (await versionsOf('logo')).map(({ version }) => version)
    expect([versions.at(0), versions.length]).toEqual([2, versionsKept])
    const [kept] = (await front.db.select().from(tables.sitePictures)).filter(({ name }) =>
      name.startsWith('logo'),
    )
    expect((await names()).toSorted()).toEqual(['icon', 'logo', 'touch'])
    expect((await sharp(kept?.bytes).metadata()).width).toBe(200)
  })

  it('are pictures: nothing else is stored', async () => {
    for (const other of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '\x89PNG\r\n\x1a\n and no more',
    ]) {
      const { status } = await upload('logo', '0', Buffer.from(other, 'latin1'))
      expect(status).toBe(400)
    }

    expect(await versionsOf('logo')).toEqual([])
    expect((await front.get('visitor', '/brand/logo-0123456789abcdef.png')).status).toBe(404)
  })
})

describe('a page in Markdown', () => {
  const imprint = {
    act: 'page',
    seen: '0',
    slug: 'imprint',
    title: 'Imprint',
    text: '## Who\n\nAda & Co',
    footer: 'on',
  }

  it('is refused if its text becomes too large, and nothing is saved', async () => {
    const columns = 200
    const hugeTable = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'||\n'.repeat(200)}`
    const { status, body } = await desk({ ...imprint, text: hugeTable }, 'Site/Pages/new')
    expect(status).toBe(400)
    expect(body).toContain('This text becomes too large')
    expect((await visit('/Pages/Imprint')).status).toBe(404)
  })

  it('is at its address, in the footer and in the sitemap, and gone with an undo', async () => {
    const saved = await desk(imprint, 'Site/Pages/new')
    expect([saved.status, saved.headers.location]).toEqual([303, '/Desk/Site/Pages/imprint'])
    const shown = await visit('/Pages/Imprint')
    expect(shown.status).toBe(200)
    expect(shown.body).toContain('<p>Ada &amp; Co</p>')
    expect(shown.body).toContain('<title>Imprint · Learnify</title>')
    expect((await visit('/')).body).toContain('href="/Pages/imprint"')
    expect((await front.get('visitor', '/Sitemap/Pages.xml')).body).toContain(
      '/Pages/imprint</loc>',
    )
    await desk(
      { act: 'restore', part: 'page-imprint', version: '0', seen: '1' },
      'Site/Pages/imprint',
    )
    const gone = await visit('/Pages/imprint')
    expect([gone.status, gone.body.includes('We couldn’t find that page.')]).toEqual([404, true])
  })

  it('that was removed can be written again at the same address, and one that is there isn’t replaced', async () => {
    await desk(imprint, 'Site/Pages/new')
    const taken = await desk({ ...imprint, text: 'Other' }, 'Site/Pages/new')
    expect([
      taken.status,
      taken.body.includes('There is a page at /Pages/imprint already.'),
    ]).toEqual([400, true])
    await desk({ act: 'remove', seen: '1' }, 'Site/Pages/imprint')
    const again = await desk({ ...imprint, text: 'Written again' }, 'Site/Pages/new')
    expect([again.status, again.headers.location]).toEqual([303, '/Desk/Site/Pages/imprint'])
    expect((await visit('/Pages/imprint')).body).toContain('<p>Written again</p>')
  })

  it('takes the place of the footer’s link to nowhere', async () => {
    await desk({ ...imprint, slug: 'about', title: 'About us' }, 'Site/Pages/new')
    const { body } = await visit('/Terms')
    expect(body).toContain('href="/Pages/about" data-discover="true">About us</a>')
    expect(body.match(/href="#"/g)).toHaveLength(3)
  })

  it('stands for the terms, whose file comes back with an undo', async () => {
    const before = (await visit('/Terms')).body
    await desk({ act: 'page', seen: '0', title: 'Our rules', text: 'Be kind.' }, 'Site/Pages/terms')
    expect((await visit('/Terms')).body).toContain('<h1 class="title mb-8">Our rules</h1>')
    await desk({ act: 'remove', seen: '1' }, 'Site/Pages/terms')
    expect((await visit('/Terms')).body).toBe(before)
  })

  it('is previewed without being stored, and has no HTML of its own', async () => {
    const form = { ...imprint, preview: 'on', text: '**Bold** <script>alert(1)</script>' }
    const { status, body } = await desk(form, 'Site/Pages/new')
    expect(status).toBe(200)
    expect(body).toContain('<p><strong>Bold</strong> &lt;script&gt;')
    expect(body).toContain('value="imprint"')
    expect(await versionsOf('page-imprint')).toEqual([])
  })

  it.each(['', 'new', 'a b', '../x', 'x'.repeat(41), 'page_1'])(
    'can’t be called ‘%s’',
    async (slug) => {
      expect((await desk({ ...imprint, slug }, 'Site/Pages/new')).status).toBe(400)
    },
  )
})

describe('the seller and the currency', () => {
  const seller = {
    act: 'seller',
    seen: '0',
    name: 'Chess Ltd',
    address: 'King Street 1\r\nLondon',
    taxId: 'GB 1',
  }
  const setCurrency = (currency: string, seen = '0') => desk({ act: 'currency', seen, currency })
  const readSite = () => import('~/server/site/site.server')
  const prove = (minutesAgo: number) =>
    front.db
      .update(tables.sessions)
      .set({ confirmedAt: new Date(Date.now() - minutesAgo * 60_000) })

  it('are the owner’s, and the school’s name without one', async () => {
    const { siteSeller, siteCurrency } = await readSite()
    await desk({ act: 'name', seen: '0', name: 'Chess school' })
    expect(siteSeller()).toEqual({ name: 'Chess school', address: '', taxId: '' })
    expect((await desk(seller)).status).toBe(200)
    expect(siteSeller()).toEqual({
      name: 'Chess Ltd',
      address: 'King Street 1\nLondon',
      taxId: 'GB 1',
    })

    expect((await setCurrency('EUR')).status).toBe(200)
    expect(siteCurrency()).toBe('EUR')
    expect((await visit('/AllCourses')).body).toContain('€')
    await desk({ act: 'restoreProven', part: 'currency', version: '0', seen: '1' })
    expect(siteCurrency()).toBe('USD')
  })

  it('add to the history of prices what each course costs in the new currency, at once', async () => {
    const id = 'typography-for-screens'
    const reduced = { priceCents: 3000, originalPriceCents: 5000 }
    await front.db.update(tables.courses).set(reduced).where(eq(tables.courses.id, id))
    await front.db.delete(tables.priceHistory)
    expect((await setCurrency('EUR')).status).toBe(200)
    const rows = await front.db
      .select()
      .from(tables.priceHistory)
      .where(eq(tables.priceHistory.courseId, id))
      .orderBy(tables.priceHistory.at)

    expect(rows.at(-1)).toMatchObject({ currency: 'EUR', priceMinor: 3000, isReduced: true })
    const courses = await front.db.$count(tables.courses)
    expect(
      await front.db.$count(tables.priceHistory, eq(tables.priceHistory.currency, 'EUR')),
    ).toBe(courses)
  })

  it('want a proof of the last 15 minutes, also to go back', async () => {
    await desk(seller)
    await prove(20)
    const back = { part: 'seller', version: '0', seen: '1' }
    expect((await desk({ ...seller, seen: '1', name: 'Other' })).status).toBe(403)
    expect((await desk({ act: 'restoreProven', ...back })).status).toBe(403)
    expect((await desk({ act: 'restore', ...back })).status).toBe(400)
    await prove(0)
    expect(await versionsOf('seller')).toHaveLength(1)
  })

  it('leave out a currency in which a price would lose its cents', async () => {
    await front.db
      .update(tables.courses)
      .set({ priceCents: 4950 })
      .where(eq(tables.courses.id, 'python-from-zero'))
    const refused = await setCurrency('JPY')
    expect([refused.status, refused.body.includes('more decimal places than JPY has')]).toEqual([
      400,
      true,
    ])
    expect((await setCurrency('XYZ')).status).toBe(400)
    expect(await versionsOf('currency')).toEqual([])
  })

  it('that the operator has set are shown and can’t be changed', async () => {
    const { listOverridingSettings } = await readSite()
    expect(listOverridingSettings('sender')).toEqual(['MAIL_FROM'])
    const sender = { act: 'sender', seen: '0', name: 'Other', address: 'other@school.example' }
    const refused = await desk(sender)
    expect([refused.status, refused.body.includes('The operator has set MAIL_FROM')]).toEqual([
      400,
      true,
    ])
    const { body } = await front.get('owner', '/Desk/Site')
    expect(body).toContain('Operator &lt;operator@school.example&gt;')
  })
})

it('a test mail comes from the sender that counts, and its act is in the audit', async () => {
  const before = (await readdir(path.join(folder, 'mail')).catch(() => [])).length
  const sent = await desk({ act: 'testMail', sure: 'on' })
  expect(sent.body).toContain('The test is on its way to your own address')
  const entries = await front.db.select().from(tables.operatorActs)
  expect(entries.some(({ act }) => act === 'site test mail')).toBe(true)
  expect(JSON.stringify(entries)).not.toContain('owner@learnify.example')
  const files = (await readdir(path.join(folder, 'mail'))).toSorted()
  expect(files).toHaveLength(before + 1)
  const mails = await Promise.all(
    files.map((name) => readFile(path.join(folder, 'mail', name), 'utf8')),
  )
  expect(mails.find((mail) => mail.includes('Subject: A test from Learnify'))).toContain(
    'From: Operator <operator@school.example>',
  )
})

describe('Home', () => {
  const choose = (numbers: string, testimonials: string) =>
    desk({ act: 'home', seen: '0', numbers, testimonials })

  it('shows the school’s real numbers and reviews if its owner wants', async () => {
    const comment = 'Short lessons, and every one of them with something to try out at once.'
    const review = { uid: front.uidOf('owner'), courseId: 'python-from-zero', rating: 5, comment }
    await front.db.insert(tables.reviews).values({ ...review, id: 'real-review-1' })
    await choose('real', 'real')
    const { body } = await visit('/')
    expect(body).toContain(comment)
    expect(body).not.toContain('10,000+')
    expect(body).toMatch(/<dt class="text-muted">languages?<\/dt>/)
    expect(body).not.toMatch(/>0<\/dd>/)
  })

  it('leaves them out if its owner wants', async () => {
    await choose('off', 'off')
    const { body } = await visit('/')
    expect([body.includes('stats-title'), body.includes('testimonials-title')]).toEqual([
      false,
      false,
    ])
    expect((await choose('all', 'off')).status).toBe(400)
  })

  it('is the specification’s without a choice', async () => {
    const { body } = await visit('/')
    expect([body.includes('10,000+'), body.includes('testimonials-title')]).toEqual([true, true])
  })
})

it('a value of another version of Learnify is left out', async () => {
  await front.db.insert(tables.siteVersions).values([
    { part: 'accent', version: 1, value: { light: 'rainbow' }, by: front.uidOf('owner') },
    { part: 'hologram', version: 1, value: 1, by: front.uidOf('owner') },
  ])
  await (await import('~/server/site/site.server')).refreshSite(front.db)
  expect((await visit('/')).body).not.toContain('/brand/')
  expect((await front.get('owner', '/Desk/Site')).status).toBe(200)
})
