-- Corrections of results. A row with corrected_at replaces the results with the same key, whenever those were received,
-- and the later of two corrections wins. Within one insert the first row wins, as for other results.
--
-- first_received of a correction is above that of every result received after 1988: 1024 steps per microsecond before
-- the year 2100, against 4096 steps per microsecond since 1970.

ALTER TABLE test_httpget ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httpget MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_httppost ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httppost MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_dns ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_dns MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_netflix ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_netflix MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_ping ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_ping MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_jitter ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_jitter MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_latency ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_latency MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_webget ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_webget MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_youtube ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_youtube MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_network_usage ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_network_usage MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_traceroute ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_traceroute MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_download ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_download MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_latency ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_latency MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_upload ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_upload MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_www ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_www MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_youtube ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_youtube MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_udpcloss ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_udpcloss MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();
