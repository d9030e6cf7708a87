import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as tables from '~/server/database/schema'
import { type DeskServer, startDeskServer } from '../../../tests/support/desk-server'

let server: DeskServer
let folder = ''
let clearCache: () => void

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-site-'))
  server = await startDeskServer({
    DATA_DIR: folder,
    MAIL_FROM: 'Operator <operator@school.example>',
  })
  const { pageCache } = await import('~/server/cache/page-cache.server')
  clearCache = () => pageCache.clear()
  await server.signUp('owner', 'owner')
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  await server.db.delete(tables.siteVersions)
  await (await import('~/server/site/site.server')).refreshSite(server.db)
})

/** Sends a form of a desk page as the owner. */
const sendForm = (form: Record<string, string>, page = 'Site') =>
  server.post('owner', `/Desk/${page}`, form)

/** Gets a page without the cache, which notices a change only after a second. */
function visit(path: string) {
  clearCache()
  return server.get('visitor', path)
}

const listVersions = (part: string) =>
  server.db
    .select()
    .from(tables.siteVersions)
    .where(eq(tables.siteVersions.part, part))
    .orderBy(tables.siteVersions.version)

describe('the name of the school', () => {
  it('appears in titles, shared links, the manifest and emails once an owner has changed it', async () => {
    expect((await visit('/')).body).toContain('<title>Learn whatever you want · Learnify</title>')

    const saved = await sendForm({ intent: 'name', seen: '0', name: 'Chess & Co' })
    expect([saved.status, saved.body.includes('Name: saved.')]).toEqual([200, true])

    const { body } = await visit('/')
    expect(body).toContain('<title>Learn whatever you want · Chess &amp; Co</title>')
    expect(body).toContain('content="Chess &amp; Co"')
    expect(body).toContain('data-site="Chess &amp; Co"')
    expect(body).toContain('Made with Learnify')
    expect(JSON.parse((await server.get('visitor', '/site.webmanifest')).body).name).toBe(
      'Chess & Co',
    )

    const { composeEmail } = await import('~/server/mail/email-layout.server')
    const link = { label: 'Open', href: 'https://school.example' }
    expect(composeEmail({ subject: 'Hi', beforeLink: [], link, afterLink: [] }).text).toContain(
      'The Chess & Co team',
    )
  })

  it('can be undone, and is in the audit with its old and new value', async () => {
    await sendForm({ intent: 'name', seen: '0', name: 'One' })
    await sendForm({ intent: 'name', seen: '1', name: 'Two' })
    const undoResponse = await sendForm({
      intent: 'restore',
      part: 'name',
      version: '1',
      seen: '2',
    })
    expect(undoResponse.status).toBe(200)
    expect((await listVersions('name')).map(({ value }) => value)).toEqual(['One', 'Two', 'One'])

    await sendForm({ intent: 'restore', part: 'name', version: '0', seen: '3' }, 'Site/History')
    expect((await visit('/Terms')).body).toContain('Terms and conditions · Learnify')

    const entries = await server.db
      .select()
      .from(tables.operatorActs)
      .where(eq(tables.operatorActs.subject, 'name'))
    expect(entries.find(({ changes }) => changes?.name?.to === 'Two')).toMatchObject({
      act: 'site change',
      by: server.getUid('owner'),
      arguments: { version: 2 },
      changes: { name: { from: 'One', to: 'Two' } },
    })

    const history = await server.get('owner', '/Desk/Site/History')
    expect(history.body.match(/Use again: Name/g)).toHaveLength(3)
  })

  it('isn’t overwritten by an owner who saw an older name', async () => {
    await sendForm({ intent: 'name', seen: '0', name: 'One' })
    const lateResponse = await sendForm({ intent: 'name', seen: '0', name: 'Two' })
    expect([
      lateResponse.status,
      lateResponse.body.includes('Somebody has changed this in the meantime'),
    ]).toEqual([400, true])
    expect(lateResponse.body).toContain('value="Two"')

    // An owner who submits an old page without a change must not believe that its name is in
    // effect.
    const unchanged = { intent: 'restore', part: 'name', version: '0', seen: '0' }

    expect((await sendForm(unchanged)).body).toContain('Somebody has changed this')

    const responses = await Promise.all(
      ['A', 'B'].map((name) => sendForm({ intent: 'name', seen: '1', name })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  it.each(['', 'x'.repeat(61), 'a<b'])('can’t be ‘%s’', async (name) => {
    expect((await sendForm({ intent: 'name', seen: '0', name })).status).toBe(400)
    expect(await listVersions('name')).toEqual([])
  })
})

describe('the time zone of the school', () => {
  const saveTimeZone = (timeZone: string, seen = '0') =>
    sendForm({ intent: 'timeZone', seen, timeZone })

  it('decides when the days of a coupon begin and end', async () => {
    expect((await saveTimeZone('America/New_York')).body).toContain('Time zone: saved.')

    const days = { from: '2126-12-01', until: '2126-12-31' }
    await sendForm({ intent: 'create', code: 'NEWYEAR', percent: '20', ...days }, 'Coupons')
    const [coupon] = await server.db
      .select()
      .from(tables.coupons)
      .where(eq(tables.coupons.code, 'NEWYEAR'))
    expect(coupon).toMatchObject({
      startsAt: new Date('2126-12-01T05:00:00Z'),
      endsAt: new Date('2127-01-01T05:00:00Z'),
    })

    const { body } = await server.get('owner', '/Desk/Coupons/NEWYEAR')
    expect(body).toMatch(/From<\/dt><dd[^>]*><time[^>]*>Dec 1, 2126<\/time>/)
    expect(body).toMatch(/Until<\/dt><dd[^>]*><time[^>]*>Dec 31, 2126<\/time>/)

    const list = await server.get('owner', '/Desk/Coupons')
    expect(list.body).toContain('>Dec 31, 2126</time>')
    expect(list.body).toContain('in the school’s time zone (America/New York)')
  })

  it('decides which entries of the audit log belong to a day', async () => {
    await server.db.insert(tables.operatorActs).values({
      id: 'late-evening',
      at: new Date('2020-06-02T02:00:00Z'),
      by: server.getUid('owner'),
      act: 'site change',
      subject: 'late evening',
      arguments: {},
      outcome: 'It was late in the evening.',
    })
    const findEntry = async (day: string) => {
      const { body } = await server.get('owner', `/Desk/Audit?since=${day}&until=${day}`)
      return body.includes('It was late in the evening.')
    }

    expect([await findEntry('2020-06-01'), await findEntry('2020-06-02')]).toEqual([false, true])

    await saveTimeZone('America/New_York')
    expect([await findEntry('2020-06-01'), await findEntry('2020-06-02')]).toEqual([true, false])
  })

  it('can be undone, and is in the audit log', async () => {
    await saveTimeZone('Asia/Kolkata')
    const form = { intent: 'restore', part: 'timeZone', version: '0', seen: '1' }
    expect((await sendForm(form)).status).toBe(200)

    const { siteTimeZone } = await import('~/server/site/site.server')
    expect(siteTimeZone()).toBe('UTC')

    const entries = await server.db
      .select()
      .from(tables.operatorActs)
      .where(eq(tables.operatorActs.subject, 'timeZone'))
    expect(entries.map(({ changes }) => changes?.timeZone?.to)).toContain('Asia/Kolkata')
  })

  it('is chosen from a list with current names, and the list has the stored zone', async () => {
    await saveTimeZone('Etc/GMT+5')
    const { body } = await server.get('owner', '/Desk/Site')

    expect(body).toMatch(/<option[^>]*selected[^>]*>Etc\/GMT\+5<\/option>/)
    expect(body).toContain('>Asia/Kolkata</option>')
    expect(body).not.toContain('>Asia/Calcutta</option>')
  })

  it.each(['', 'Mars/Olympus', "'; drop table users", 'EST5EDT4,M3.2.0'])(
    'can’t be ‘%s’',
    async (timeZone) => {
      const response = await saveTimeZone(timeZone)
      expect([response.status, response.body.includes('Choose a time zone.')]).toEqual([400, true])
    },
  )
})

describe('the accent color', () => {
  it('is refused if it is hard to read, and replaced by the nearest readable color on request', async () => {
    const refusal = await sendForm({ intent: 'accent', seen: '0', light: '#FF6600', dark: '' })
    expect(refusal.status).toBe(400)
    expect(refusal.body).toContain(
      '#ff6600 has a contrast of 2.6:1, and text needs 4.5:1. #c53c00 would pass.',
    )
    expect(
      (await sendForm({ intent: 'accent', seen: '0', light: '#FF6600', dark: '', nearest: 'on' }))
        .status,
    ).toBe(200)

    const { body } = await visit('/')
    const stylePath = /\/brand\/accent-[\w-]+\.css/.exec(body)?.[0] ?? ''
    const style = await server.get('visitor', stylePath)
    expect(style.headers['content-type']).toContain('text/css')
    expect(style.headers['cache-control']).toContain('immutable')
    expect(style.body).toContain('--color-accent:light-dark(#c53c00,#ff6600)')
  })

  it('has an empty field for the dark theme until the owner chooses a dark color', async () => {
    const findDarkField = async () => {
      const { body } = await server.get('owner', '/Desk/Site')
      return /<input[^>]*name="dark"[^>]*>/.exec(body)?.[0]
    }

    await sendForm({ intent: 'accent', seen: '0', light: '#0050aa', dark: '' })
    expect(await listVersions('accent')).toHaveLength(1)
    expect(await findDarkField()).toContain('value=""')

    await sendForm({ intent: 'accent', seen: '1', light: '#0050aa', dark: '#99bbff' })
    expect(await findDarkField()).toContain('value="#99bbff"')
  })

  it('of the dark theme alone is refused at the field of the other color, and kept in its own', async () => {
    const refused = await sendForm({ intent: 'accent', seen: '0', light: '', dark: '#99BBFF' })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('Write the color of the light theme, too, or empty both fields.')
    expect(/<input[^>]*name="light"[^>]*>/.exec(refused.body)?.[0]).toContain('aria-invalid="true"')
    expect(/<input[^>]*name="dark"[^>]*>/.exec(refused.body)?.[0]).toContain('value="#99BBFF"')
    expect(await listVersions('accent')).toEqual([])
  })

  it('is the color of links in announcements', async () => {
    await sendForm({ intent: 'accent', seen: '0', light: '#0050aa', dark: '' })
    const { renderMailMarkdown } = await import('~/server/markdown/mail-markdown.server')

    expect(renderMailMarkdown('[Chess](/OneCourse/chess)', 'https://learn.example')).toContain(
      'color:#0050aa',
    )
  })

  it('is refused in any other format, and so is the name of its style sheet', async () => {
    for (const light of ['red', '#fff', 'url(//evil.example)', '#12345g']) {
      expect((await sendForm({ intent: 'accent', seen: '0', light, dark: '' })).status).toBe(400)
    }

    for (const name of ['accent-1-ffffff.css', 'accent-1-zzzzzz-ffffff.css', 'x.css']) {
      expect((await server.get('visitor', `/brand/${name}`)).status).toBe(404)
    }
  })
})

describe('the footer', () => {
  const form = {
    intent: 'footer',
    seen: '0',
    'title-0': 'School',
    'label-0-0': 'About us',
    'to-0-0': 'school.example/about',
  }

  it('shows the owner’s links', async () => {
    expect(
      (await sendForm({ ...form, 'label-0-2': 'Courses', 'to-0-2': '/AllCourses' })).status,
    ).toBe(200)

    const { body } = await visit('/Terms')
    expect(body).toContain('href="https://school.example/about"')
    expect(body).not.toContain('Become an instructor')
  })

  it.each(['javascript:alert(1)', '//evil.example', 'data:text/html,x'])(
    'refuses a link to %s',
    async (to) => {
      expect((await sendForm({ ...form, 'to-0-0': to })).status).toBe(400)
    },
  )

  it('moves a link to the chosen place, and the other links make room', async () => {
    const createRows = (...names: string[]) =>
      Object.fromEntries(
        names.flatMap((name, row) => [
          [`label-0-${row}`, name],
          [`to-0-${row}`, `/Pages/${name}`],
        ]),
      )
    const saveAndReadOrder = async (seen: string, places: Record<string, string>) => {
      await sendForm({
        intent: 'footer',
        seen,
        'title-0': 'School',
        ...createRows('a', 'b', 'c', 'd'),
        ...places,
      })

      return [...(await visit('/Terms')).body.matchAll(/href="\/Pages\/([a-d])"/g)]
        .map(([, name]) => name)
        .join('')
    }

    expect(await saveAndReadOrder('0', { 'place-0-3': '2' })).toBe('adbc')
    expect(await saveAndReadOrder('1', { 'place-0-0': '3' })).toBe('bcad')
    expect(
      await saveAndReadOrder('2', { 'place-0-0': '2', 'place-0-1': '1', 'place-0-2': '3' }),
    ).toBe('bacd')
    expect(await saveAndReadOrder('3', { 'place-0-0': '9', 'place-0-1': 'x' })).toBe('bcda')
  })

  it('refuses two columns with the same heading, and two links with the same text', async () => {
    expect((await sendForm({ ...form, 'label-0-1': 'About us', 'to-0-1': '/' })).status).toBe(400)
    expect((await sendForm({ ...form, 'title-1': 'School' })).status).toBe(400)
  })
})

describe('a picture', () => {
  /** Sends a form with a file. */
  async function upload(
    intent: string,
    seen: string,
    picture: Buffer,
    fields: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const [name, value] of Object.entries({ intent, seen, ...fields })) {
      form.append(name, value)
    }

    form.append('picture', new Blob([new Uint8Array(picture)]), 'logo.png')
    const request = new Request('http://x', { method: 'POST', body: form })
    const { Host, Origin } = server.headers

    return fetch(`http://127.0.0.1:${server.port}/Desk/Site`, {
      method: 'POST',
      headers: {
        ...{ 'X-Forwarded-Host': Host, Origin, Cookie: server.getCookie('owner') },
        'Content-Type': request.headers.get('content-type') ?? '',
      },
      body: await request.arrayBuffer(),
    })
  }

  const drawPicture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#ff6600' } })
      .png()
      .toBuffer()

  it('of the logo is in the header and on certificates, and can be restored after its removal', async () => {
    expect((await upload('logo', '0', await drawPicture(1600, 400))).status).toBe(200)

    const { body } = await visit('/')
    const [, picturePath = ''] =
      /src="(\/brand\/logo-[0-9a-f]{16}\.png)" width="384" height="96" alt="Learnify"/.exec(body) ??
      []
    const picture = await server.get('visitor', picturePath)
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])

    const { findSiteLogo } = await import('~/server/site/brand-files.server')
    expect(await findSiteLogo(server.db)).toMatchObject({ width: 384, isWide: true })

    await sendForm({ intent: 'logo', seen: '1', remove: 'on' })
    expect((await visit('/')).body).not.toContain('/brand/')

    await sendForm({ intent: 'restore', part: 'logo', version: '1', seen: '2' })
    expect((await visit('/')).body).toContain(picturePath)
  })

  it('of the logo replaces Learnify’s mark on the pictures of shared courses, and a name alone removes the mark', async () => {
    const readMarkColor = async () => {
      const response = await fetch(
        `http://127.0.0.1:${server.port}/OneCourse/python-from-zero/picture.jpg`,
        {
          headers: { 'X-Forwarded-Host': server.headers.Host },
        },
      )
      const area = { left: 100, top: 72, width: 8, height: 8 }
      const picture = sharp(Buffer.from(await response.arrayBuffer()))
        .extract(area)
        .resize(1, 1)

      return [...(await picture.raw().toBuffer())].map((amount) => Math.round(amount / 100))
    }
    const [markColor, paperColor, logoColor] = [
      [1, 1, 3],
      [0, 0, 0],
      [3, 1, 0],
    ]

    expect(await readMarkColor()).toEqual(markColor)

    await sendForm({ intent: 'name', seen: '0', name: 'I' })
    expect(await readMarkColor()).toEqual(paperColor)

    await upload('logo', '0', await drawPicture(1600, 400))
    expect(await readMarkColor()).toEqual(logoColor)
  })

  it('of the icon or for shared links is where browsers and other sites look', async () => {
    await upload('icon', '0', await drawPicture(300, 200))
    await upload('sharePicture', '0', await drawPicture(300, 200))
    const { body } = await visit('/')
    expect(body).toMatch(/<link rel="icon" href="\/brand\/icon-\w+\.png"\/>/)
    expect(body).toMatch(/<link rel="apple-touch-icon" href="\/brand\/touch-\w+\.png"\/>/)
    expect(body).toMatch(/og:image" content="http:\/\/localhost:3000\/brand\/share-\w+\.jpg"/)

    const manifest = JSON.parse((await server.get('visitor', '/site.webmanifest')).body)
    expect(manifest.icons[0].src).toMatch(/^\/brand\/icon-/)
  })

  it('is deleted with the last version that names it, and a hundred versions are kept', async () => {
    await server.db.delete(tables.sitePictures)
    await upload('logo', '0', await drawPicture(300, 100))
    await upload('icon', '0', await drawPicture(300, 200))
    const listPictureKinds = async () =>
      (await server.db.select().from(tables.sitePictures)).map(({ name }) => name.split('-')[0])
    const { maxStoredVersions } = await import('~/features/desk/site/site-changes.server')
    const rows = Array.from({ length: maxStoredVersions - 2 }, (_, index) => ({
      ...{ part: 'logo', version: index + 2, by: server.getUid('owner') },
      value: index % 2 ? { logo: 'logo-0123456789abcdef.png', width: 3, height: 1 } : null,
    }))
    await server.db.insert(tables.siteVersions).values(rows)
    await sendForm({ intent: 'logo', seen: String(maxStoredVersions - 1), remove: 'on' })
    expect([(await listPictureKinds()).toSorted(), (await listVersions('logo')).length]).toEqual([
      ['icon', 'logo', 'touch'],
      maxStoredVersions,
    ])
    expect(
      (await upload('logo', String(maxStoredVersions), await drawPicture(200, 50))).status,
    ).toBe(200)

    const versions = (await listVersions('logo')).map(({ version }) => version)
    expect([versions.at(0), versions.length]).toEqual([2, maxStoredVersions])

    const [logoPicture] = (await server.db.select().from(tables.sitePictures)).filter(({ name }) =>
      name.startsWith('logo'),
    )
    expect((await listPictureKinds()).toSorted()).toEqual(['icon', 'logo', 'touch'])
    expect((await sharp(logoPicture?.bytes).metadata()).width).toBe(200)
  })

  it('is refused if the file is no picture', async () => {
    for (const content of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '\x89PNG\r\n\x1a\n and no more',
    ]) {
      const { status } = await upload('logo', '0', Buffer.from(content, 'latin1'))
      expect(status).toBe(400)
    }

    expect(await listVersions('logo')).toEqual([])
    expect((await server.get('visitor', '/brand/logo-0123456789abcdef.png')).status).toBe(404)
  })
})

describe('a page in Markdown', () => {
  const imprint = {
    intent: 'page',
    seen: '0',
    slug: 'imprint',
    title: 'Imprint',
    text: '## Who\n\nAda & Co',
    footer: 'on',
  }

  it('is refused if its text becomes too large, and nothing is saved', async () => {
    const columns = 200
    const hugeTable = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n${'||\n'.repeat(200)}`
    const { status, body } = await sendForm({ ...imprint, text: hugeTable }, 'Site/Pages/new')

    expect(status).toBe(400)
    expect(body).toContain('This text becomes too large')
    expect((await visit('/Pages/Imprint')).status).toBe(404)
  })

  it('is at its URL, in the footer and in the sitemap until it is undone', async () => {
    const saved = await sendForm(imprint, 'Site/Pages/new')
    expect([saved.status, saved.headers.location]).toEqual([303, '/Desk/Site/Pages/imprint'])

    const page = await visit('/Pages/Imprint')
    expect(page.status).toBe(200)
    expect(page.body).toContain('<p>Ada &amp; Co</p>')
    expect(page.body).toContain('<title>Imprint · Learnify</title>')
    expect((await visit('/')).body).toContain('href="/Pages/imprint"')
    expect((await server.get('visitor', '/Sitemap/Pages.xml')).body).toContain(
      '/Pages/imprint</loc>',
    )

    await sendForm(
      { intent: 'restore', part: 'page-imprint', version: '0', seen: '1' },
      'Site/Pages/imprint',
    )
    const removedPage = await visit('/Pages/imprint')
    expect([removedPage.status, removedPage.body.includes('We couldn’t find that page.')]).toEqual([
      404,
      true,
    ])
  })

  it('can be written again after its removal, but a new page never replaces an existing one', async () => {
    await sendForm(imprint, 'Site/Pages/new')
    const refusal = await sendForm({ ...imprint, text: 'Other' }, 'Site/Pages/new')
    expect([
      refusal.status,
      refusal.body.includes('There is a page at /Pages/imprint already.'),
    ]).toEqual([400, true])

    await sendForm({ intent: 'remove', seen: '1' }, 'Site/Pages/imprint')
    const response = await sendForm({ ...imprint, text: 'Written again' }, 'Site/Pages/new')
    expect([response.status, response.headers.location]).toEqual([303, '/Desk/Site/Pages/imprint'])
    expect((await visit('/Pages/imprint')).body).toContain('<p>Written again</p>')
  })

  it('has its URL in lower case however it is typed, and says what is wrong with it at its field', async () => {
    const saved = await sendForm({ ...imprint, slug: 'About-Us' }, 'Site/Pages/new')
    expect([saved.status, saved.headers.location]).toEqual([303, '/Desk/Site/Pages/about-us'])

    const { status, body } = await sendForm({ ...imprint, slug: 'about us' }, 'Site/Pages/new')
    expect(status).toBe(400)
    expect(body).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="slug"[^>]*value="about us"/)
    expect(body).toMatch(/-error"[^>]*>Write an address in lowercase letters, digits and hyphens/)
  })

  it('replaces the placeholder link in the footer', async () => {
    await sendForm({ ...imprint, slug: 'about', title: 'About us' }, 'Site/Pages/new')
    const { body } = await visit('/Terms')

    expect(body).toContain('href="/Pages/about" data-discover="true">About us</a>')
    expect(body.match(/href="#"/g)).toHaveLength(3)
  })

  it('replaces the terms until it is removed, with formulas in the title as readable text', async () => {
    const fileTerms = (await visit('/Terms')).body
    await sendForm(
      { intent: 'page', seen: '0', title: 'Our $n^2$ rules', text: 'Be kind.' },
      'Site/Pages/terms',
    )
    expect((await visit('/Terms')).body).toContain('<h1 class="title mb-8">Our n² rules</h1>')

    await sendForm({ intent: 'remove', seen: '1' }, 'Site/Pages/terms')
    expect((await visit('/Terms')).body).toBe(fileTerms)
  })

  it('is previewed without being stored, and escapes HTML', async () => {
    const form = { ...imprint, preview: 'on', text: '**Bold** <script>alert(1)</script>' }
    const { status, body } = await sendForm(form, 'Site/Pages/new')

    expect(status).toBe(200)
    expect(body).toContain('<p><strong>Bold</strong> &lt;script&gt;')
    expect(body).toContain('value="imprint"')
    expect(await listVersions('page-imprint')).toEqual([])
  })

  it.each(['', 'new', 'a b', '../x', 'x'.repeat(41), 'page_1'])(
    'can’t have the slug ‘%s’',
    async (slug) => {
      expect((await sendForm({ ...imprint, slug }, 'Site/Pages/new')).status).toBe(400)
    },
  )
})

describe('the seller and the currency', () => {
  const seller = {
    intent: 'seller',
    seen: '0',
    name: 'Chess Ltd',
    address: 'King Street 1\r\nLondon',
    taxId: 'GB 1',
  }
  const setCurrency = (currency: string, seen = '0') =>
    sendForm({ intent: 'currency', seen, currency })
  const readSite = () => import('~/server/site/site.server')
  const setConfirmed = (minutesAgo: number) =>
    server.db
      .update(tables.sessions)
      .set({ confirmedAt: new Date(Date.now() - minutesAgo * 60_000) })

  it('are the owner’s choice, and the seller is the school by default', async () => {
    const { siteSeller, siteCurrency } = await readSite()
    await sendForm({ intent: 'name', seen: '0', name: 'Chess school' })
    expect(siteSeller()).toEqual({ name: 'Chess school', address: '', taxId: '' })
    expect((await sendForm(seller)).status).toBe(200)
    expect(siteSeller()).toEqual({
      name: 'Chess Ltd',
      address: 'King Street 1\nLondon',
      taxId: 'GB 1',
    })

    expect((await setCurrency('EUR')).status).toBe(200)
    expect(siteCurrency()).toBe('EUR')
    expect((await visit('/AllCourses')).body).toContain('€')

    await sendForm({ intent: 'restoreProven', part: 'currency', version: '0', seen: '1' })
    expect(siteCurrency()).toBe('USD')
  })

  it('record the prices of all courses in the new currency at once', async () => {
    const id = 'typography-for-screens'
    const reduced = { priceMinor: 3000, originalPriceMinor: 5000 }
    await server.db.update(tables.courses).set(reduced).where(eq(tables.courses.id, id))
    await server.db.delete(tables.priceHistory)
    expect((await setCurrency('EUR')).status).toBe(200)

    const rows = await server.db
      .select()
      .from(tables.priceHistory)
      .where(eq(tables.priceHistory.courseId, id))
      .orderBy(tables.priceHistory.at)

    expect(rows.at(-1)).toMatchObject({ currency: 'EUR', priceMinor: 3000, isReduced: true })

    const courses = await server.db.$count(tables.courses)
    expect(
      await server.db.$count(tables.priceHistory, eq(tables.priceHistory.currency, 'EUR')),
    ).toBe(courses)
  })

  it('assign all prices to the ranges of the new currency', async () => {
    const countInRange = (range: string) =>
      server.db.$count(tables.courseSearch, eq(tables.courseSearch.priceRange, range))

    expect(await countInRange('50-100')).toBeGreaterThan(0)

    // 100 rupees are about a dollar, so that a course of 69 rupees is one of less than 50 dollars.
    expect((await setCurrency('INR')).status).toBe(200)
    expect(await countInRange('50-100')).toBe(0)
    expect((await setCurrency('USD', '1')).status).toBe(200)
    expect(await countInRange('50-100')).toBeGreaterThan(0)
  })

  it('require a sign-in within the last 15 minutes, even for an undo', async () => {
    await sendForm(seller)
    await setConfirmed(20)
    const undo = { part: 'seller', version: '0', seen: '1' }
    expect((await sendForm({ ...seller, seen: '1', name: 'Other' })).status).toBe(403)
    expect((await sendForm({ intent: 'restoreProven', ...undo })).status).toBe(403)
    expect((await sendForm({ intent: 'restore', ...undo })).status).toBe(400)

    await setConfirmed(0)
    expect(await listVersions('seller')).toHaveLength(1)
  })

  it('refuse a currency in which a price would lose its cents', async () => {
    await server.db
      .update(tables.courses)
      .set({ priceMinor: 4950 })
      .where(eq(tables.courses.id, 'python-from-zero'))
    const refusal = await setCurrency('JPY')

    expect([refusal.status, refusal.body.includes('more decimal places than JPY has')]).toEqual([
      400,
      true,
    ])
    expect((await setCurrency('XYZ')).status).toBe(400)
    expect(await listVersions('currency')).toEqual([])
  })

  it('can’t be changed if the operator has set them', async () => {
    const { listOverridingSettings } = await readSite()
    expect(listOverridingSettings('sender')).toEqual(['MAIL_FROM'])

    const sender = { intent: 'sender', seen: '0', name: 'Other', address: 'other@school.example' }
    const refusal = await sendForm(sender)
    expect([refusal.status, refusal.body.includes('The operator has set MAIL_FROM')]).toEqual([
      400,
      true,
    ])

    const { body } = await server.get('owner', '/Desk/Site')
    expect(body).toContain('Operator &lt;operator@school.example&gt;')
  })
})

it('sends a test email from the current sender, and records it in the audit', async () => {
  const mailCount = (await readdir(path.join(folder, 'mail')).catch(() => [])).length
  const testMailPage = await sendForm({ intent: 'testMail', sure: 'on' })
  expect(testMailPage.body).toContain('The test is on its way to your own address')

  const entries = await server.db.select().from(tables.operatorActs)
  expect(entries.some(({ act }) => act === 'site test mail')).toBe(true)
  expect(JSON.stringify(entries)).not.toContain('owner@learnify.example')

  const files = (await readdir(path.join(folder, 'mail'))).toSorted()
  expect(files).toHaveLength(mailCount + 1)

  const mails = await Promise.all(
    files.map((name) => readFile(path.join(folder, 'mail', name), 'utf8')),
  )
  expect(mails.find((mail) => mail.includes('Subject: A test from Learnify'))).toContain(
    'From: Operator <operator@school.example>',
  )
})

describe('Home', () => {
  const choose = (numbers: string, testimonials: string) =>
    sendForm({ intent: 'home', seen: '0', numbers, testimonials })

  it('shows the school’s real numbers and reviews if an owner chooses them', async () => {
    const comment = 'Short lessons, and every one of them with something to try out at once.'
    const review = { uid: server.getUid('owner'), courseId: 'python-from-zero', rating: 5, comment }
    await server.db.insert(tables.reviews).values({ ...review, id: 'real-review-1' })
    const email = 'nameless@learnify.example'
    const uid = 'nameless'
    const namelessComment = 'The learner who wrote this has not given a name to the school yet.'
    await server.db.insert(tables.users).values({ id: uid, name: 'User', firstName: 'User', email })
    await server.db
      .insert(tables.reviews)
      .values({ ...review, uid, comment: namelessComment, id: 'real-review-2' })
    await choose('real', 'real')
    const { body } = await visit('/')

    expect(body).toContain(comment)
    expect(body).not.toContain(namelessComment)
    expect(body).not.toContain('10,000+')
    expect(body).not.toContain('120+ courses')
    expect(body).toMatch(/<dt class="text-muted">languages?<\/dt>/)
    expect(body).not.toMatch(/>0<\/dd>/)
  })

  it('leaves out numbers and reviews if an owner chooses none', async () => {
    await choose('off', 'off')
    const { body } = await visit('/')

    expect([body.includes('numbers-title'), body.includes('testimonials-title')]).toEqual([
      false,
      false,
    ])
    expect((await choose('all', 'off')).status).toBe(400)
  })

  it('shows Learnify’s own numbers and testimonials by default', async () => {
    const { body } = await visit('/')
    expect([body.includes('10,000+'), body.includes('testimonials-title')]).toEqual([true, true])
  })
})

describe('a text of Home', () => {
  const noCards = Object.fromEntries(
    [0, 1, 2, 3, 4, 5].flatMap((row) => [
      [`title-${row}`, ''],
      [`text-${row}`, ''],
    ]),
  )

  it('in the first section is the owner’s on the page and in its title, until it is emptied', async () => {
    const hero = { intent: 'hero', title: 'Learn chess', text: 'One move\na day.' }
    expect((await sendForm({ ...hero, seen: '0' })).status).toBe(200)

    const { body } = await visit('/')
    expect(body).toContain('<title>Learn chess · Learnify</title>')
    expect(body).toContain('One move a day.')
    expect(body).not.toContain('whenever you want')

    await sendForm({ intent: 'hero', seen: '1', title: '', text: '' })
    expect((await visit('/')).body).toContain('whenever you want')
  })

  it('of a card of ‘How it works’ is left out if the owner empties it', async () => {
    const features = { ...noCards, intent: 'features', title: 'How we teach chess' }
    await sendForm({ ...features, seen: '0', 'title-1': 'Play first', 'text-1': 'Rules later.' })

    const { body } = await visit('/')
    for (const text of ['How we teach chess', 'Play first', 'Rules later.']) {
      expect(body).toContain(text)
    }

    expect(body).not.toContain('Private by design')

    const halfCard = { ...features, seen: '1', 'title-1': 'No text' }
    expect((await sendForm(halfCard)).status).toBe(400)
  })

  it('of a category has no number of courses beside sample numbers, and leads to an existing category only', async () => {
    const categories = { intent: 'categoryCards', title: 'Openings', text: 'Pick one.' }
    const card = { 'name-0': 'E4', 'icon-0': 'sprout', 'category-0': 'technology' }
    await sendForm({ ...categories, ...card, seen: '0' })

    const { body } = await visit('/')
    expect(body).toContain('Openings')
    expect(body).toMatch(/category=technology"[\s\S]*?E4</)
    expect(body).not.toMatch(/\d+ courses?</)
    expect(body).not.toContain('Health &amp; Fitness')

    const unknownCategory = { ...categories, ...card, seen: '1', 'category-0': 'alchemy' }
    expect((await sendForm(unknownCategory)).status).toBe(400)
  })

  it('of a category that no longer exists shows that until the owner chooses another one', async () => {
    const category = { id: 'alchemy', name: 'Alchemy', catalogue: 'alchemy', position: 99 }
    await server.db.insert(tables.categories).values({ ...category, icon: 'sprout' })
    const categories = { intent: 'categoryCards', title: 'Openings', text: 'Pick one.' }
    const card = { 'name-0': 'Gold', 'icon-0': 'sprout', 'category-0': 'alchemy' }
    expect((await sendForm({ ...categories, ...card, seen: '0' })).status).toBe(200)

    await server.db.delete(tables.categories).where(eq(tables.categories.id, 'alchemy'))

    const { body } = await server.get('owner', '/Desk/Site')
    expect(body).toContain(
      '<option value="alchemy" selected="">alchemy (no longer exists)</option>',
    )

    const refused = await sendForm({ ...categories, ...card, title: 'Metals', seen: '1' })
    expect(refused.status).toBe(400)
    expect(refused.body).toContain('A category was removed. Choose where its card leads.')
  })

  it('of a testimonial replaces all of Learnify’s own', async () => {
    const testimonial = { 'text-0': 'Mate in two!', 'name-0': 'Judit', 'role-0': 'Player' }
    const form = { intent: 'testimonials', seen: '0', ...testimonial, 'rating-0': '4' }
    expect((await sendForm({ ...form, 'rating-0': '9' })).status).toBe(400)

    await sendForm(form)

    const { body } = await visit('/')
    expect(body).toContain('Mate in two!')
    expect(body).not.toContain('Leila Mansour')

    const [version] = await listVersions('testimonials')
    expect(version?.value).toEqual({
      en: [{ rating: 4, text: 'Mate in two!', name: 'Judit', role: 'Player' }],
    })
  })
})

it('ignores stored values that this version of Learnify doesn’t know', async () => {
  await server.db.insert(tables.siteVersions).values([
    { part: 'accent', version: 1, value: { light: 'rainbow' }, by: server.getUid('owner') },
    { part: 'hologram', version: 1, value: 1, by: server.getUid('owner') },
  ])
  await (await import('~/server/site/site.server')).refreshSite(server.db)

  expect((await visit('/')).body).not.toContain('/brand/')
  expect((await server.get('owner', '/Desk/Site')).status).toBe(200)
})
