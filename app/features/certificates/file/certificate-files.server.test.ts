import jsQr from 'jsqr'
import sharp from 'sharp'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { createQrPath } from '~/server/drawing/qr-path.server'
import type { CertificateText } from '../certificate-messages'
import { drawCertificatePicture } from './certificate-files.server'
import { drawCertificatePdf } from './certificate-pdf.server'

const createText = (changes: Partial<CertificateText> = {}): CertificateText => ({
  url: 'https://learnify.example/Certificate/q0Qm5g1b0GxvKkq3n2dXwA',
  name: 'Ada Lovelace',
  course: 'Python from Zero',
  issuedOn: 'November 20, 2026',
  issuedDay: '2026-11-20',
  issuedAt: '2026-11-20T12:00:00.000Z',
  sentence: 'completed 17 lessons and passed the final exam of',
  lessons: '17 lessons, 42 min',
  exam: '7 of 8 correct (87%)',
  number: 'q0Qm5g1b0GxvKkq3n2dXwA',
  status: 'valid',
  hasHolder: true,
  ...changes,
})

async function readText(pdf: Buffer): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), {
    mergePages: true,
  })
  return text.replace(/\s+/g, ' ')
}

describe('the PDF of a certificate', () => {
  it('contains everything that the page says as selectable text', async () => {
    const text = await readText(await drawCertificatePdf(createText()))
    for (const part of [
      'Certificate of completion',
      'Ada Lovelace',
      'Python from Zero',
      'November 20, 2026',
      'completed 17 lessons and passed the final exam of',
      '17 lessons, 42 min',
      '7 of 8 correct (87%)',
      'Issued to a confirmed email address.',
      'q0Qm5g1b0GxvKkq3n2dXwA',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('is tagged, has a title, is small and has the same bytes each time', async () => {
    const pdf = await drawCertificatePdf(createText())
    expect(pdf.length).toBeLessThan(200 * 1024)
    expect(pdf.equals(await drawCertificatePdf(createText()))).toBe(true)

    const document = await getDocumentProxy(new Uint8Array(pdf))
    expect(document.numPages).toBe(1)
    expect(await document.getMarkInfo()).toMatchObject({ Marked: true })
    expect((await document.getMetadata()).info).toMatchObject({
      Title: 'Certificate: Python from Zero',
      Language: 'en',
    })

    const tree = JSON.stringify(await (await document.getPage(1)).getStructTree())
    expect(tree).toContain('"role":"H1"')
    expect(tree).toContain(
      'QR code linking to https://learnify.example/Certificate/q0Qm5g1b0GxvKkq3n2dXwA',
    )
  })

  it.each([
    'Łukasz Żółć',
    'Nguyễn Thị Minh Khai',
    'Дмитрий Иванович',
    'Γεωργία Παπαδοπούλου',
    'Mary-Jane O’Neill Müller',
    'สมชาย ใจดี',
    'محمد علي',
    'דוד בן־גוריון',
    'محمد عبد الرحمن Ali',
    'J̌ana X̂u',
    'שָׁלוֹם',
    'علاء الدين',
    'น้ำใจ',
    'Ægir Þórsson',
    'İbrahim Işığı',
    'ʻOkina Kahāʻī',
    'Rafi Affonso Fleming',
    'प्रिया शर्मा',
    'श्रीकृष्ण द्विवेदी',
    'ज्ञान क़ासिम',
    'اللّٰه بِسْم شیرین',
    'ผู้ใหญ่ ร้อยเอ็ด',
  ])('contains the name %s', async (name) => {
    const text = await readText(await drawCertificatePdf(createText({ name })))
    expect(text.normalize('NFC')).toContain(name)
  })

  it.each([
    ['Ada 🚀 Lovelace', 'Ada Lovelace'],
    ['Ada ❤️ Lovelace', 'Ada Lovelace'],
    ['👩‍🚀 Star', 'that Star'],
    ['1️⃣ Ada ☆', 'that Ada'],
    ['Ａｄａ Lovelace', 'Ada Lovelace'],
    ['Raﬁ Ada', 'Rafi Ada'],
    ['Ada 山', 'that Ada completed'],
    ['李 Ada 山田 Lovelace', 'that Ada Lovelace completed'],
  ])('omits from %s only the characters that no font has', async (name, printedName) => {
    const text = await readText(await drawCertificatePdf(createText({ name })))
    expect(text.normalize('NFKC').replace(/\s+/g, ' ')).toContain(printedName)
  })

  it('refers to the page if no font has any character of the name', async () => {
    expect(await readText(await drawCertificatePdf(createText({ name: '山田 太郎' })))).toContain(
      "The learner named on this certificate's page",
    )
  })

  it('gives screen readers the original characters of the name', async () => {
    const document = await getDocumentProxy(
      new Uint8Array(await drawCertificatePdf(createText({ name: 'بِسْمِ' }))),
    )
    expect(JSON.stringify(await (await document.getPage(1)).getStructTree())).toContain(
      '"alt":"بِسْمِ"',
    )
  })

  it.each(['x'.repeat(201), 'Wolfeschlegelsteinhausen '.repeat(8).trim()])(
    'has one page even if the name is very long',
    async (name) => {
      const pdf = await drawCertificatePdf(createText({ name }))
      expect((await getDocumentProxy(new Uint8Array(pdf))).numPages).toBe(1)
    },
  )

  it('says that a revoked certificate is no longer valid', async () => {
    expect(await readText(await drawCertificatePdf(createText({ status: 'revoked' })))).toContain(
      'no longer valid',
    )
  })
})

describe('the share picture', () => {
  it('is a PNG of 1200 by 630 pixels with a small file size', async () => {
    const picture = await drawCertificatePicture(createText())

    expect(await sharp(picture).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    })

    expect(picture.length).toBeLessThan(150 * 1024)
  })

  it('can be drawn for any name', async () => {
    for (const name of ['山田 太郎', '<script>&"', 'x'.repeat(200), '']) {
      const picture = await drawCertificatePicture(createText({ name }))
      expect(await sharp(picture).metadata()).toMatchObject({
        format: 'png',
        width: 1200,
        height: 630,
      })
    }
  })
})

it('the QR code contains the URL of the page', async () => {
  const { url } = createText()
  const { path, size } = createQrPath(url)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${size + 8} ${size + 8}" width="400" height="400">
    <rect x="-4" y="-4" width="100%" height="100%" fill="#fff"/><path d="${path}"/></svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })

  expect(jsQr(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(url)
})
