import { crc32, deflateSync } from 'node:zlib';

/** A file that a contact sends. */
export type DemoFile = { name: string; contentType: string; content: Buffer };

/** Returns a PDF file of one page with these lines. ASCII only. */
export function pdfFile(name: string, lines: string[]): DemoFile {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const text = `BT /F1 12 Tf 16 TL 60 760 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const end = `xref\n0 ${count}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return { name, contentType: 'application/pdf', content: Buffer.from(file + end, 'latin1') };
}

type Colour = readonly [red: number, green: number, blue: number];

const WIDTH = 320;
const HEIGHT = 240;

/** Returns a picture whose pixels have these colours. `x` and `y` are between 0 and 1. */
export function pngFile(name: string, colourAt: (x: number, y: number) => Colour): DemoFile {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: WIDTH }, (__, x) => colourAt(x / WIDTH, y / HEIGHT)).flat()]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2, 0, 0, 0], 8);
  const content = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, contentType: 'image/png', content };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Draws a rectangle with a zigzag line in it, such as a crack. */
export function crackedPart(x: number, y: number): Colour {
  const isPart = x > 0.25 && x < 0.75 && y > 0.12 && y < 0.88;
  const crack = 0.52 + 0.05 * Math.abs(((y * 6) % 2) - 1);
  if (isPart && y < 0.7 && Math.abs(x - crack) < 0.008) return [40, 36, 34];
  if (isPart) return [176 + Math.round(40 * x), 190, 196];
  return [226 - Math.round(30 * y), 214, 198];
}

/** Draws a panel with the lit letters E and 4. */
export function errorPanel(x: number, y: number): Colour {
  const column = Math.floor((x - 0.3) / 0.057);
  const row = Math.floor((y - 0.3) / 0.08);
  const isLit = E4[row]?.[column] === '#';
  if (isLit) return [255, 92, 60];
  return y > 0.2 && y < 0.8 ? [26, 28, 32] : [120, 124, 130];
}

const E4 = ['###.#.#', '#...#.#', '###.###', '#.....#', '###...#'];

/** Draws a dark drum on a light floor. */
export function drum(x: number, y: number): Colour {
  const [dx, dy] = [(x - 0.5) * 1.33, y - 0.5];
  const radius = Math.sqrt(dx * dx + dy * dy);
  if (radius < 0.08 || (radius > 0.3 && radius < 0.36)) return [70, 52, 38];
  if (radius < 0.3) return [150, 112, 70];
  return [208, 206, 200];
}
