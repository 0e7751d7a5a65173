ALTER TABLE test_httpget_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httpget ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httpget_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_httpget ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_httppost_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httppost ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_httppost_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_httppost ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_dns_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_dns ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_dns_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_dns ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_netflix_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_netflix ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_netflix_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_netflix ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_ping_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_ping ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_ping_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_ping ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_jitter_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_jitter ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_jitter_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_jitter ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_latency_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_latency ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_latency_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_latency ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_webget_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_webget ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_webget_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_webget ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_youtube_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_youtube ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_youtube_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_youtube ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_network_usage_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_network_usage ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_network_usage_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_network_usage ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_traceroute_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_traceroute ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_traceroute_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_traceroute ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_download_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_download ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_download_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_download ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_latency_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_latency ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_latency_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_latency ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_upload_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_upload ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_upload_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_upload ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_www_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_www ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_www_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_www ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_youtube_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_youtube ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_mobile_youtube_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_mobile_youtube ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_udpcloss_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_udpcloss ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_udpcloss_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_udpcloss ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_panel_shard ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_panel ON CLUSTER panel ADD COLUMN IF NOT EXISTS corrected_at DateTime64(6, 'UTC') DEFAULT toDateTime64(0, 6, 'UTC') COMMENT 'When a correction was received; 1970 for other results' CODEC(Delta, ZSTD(1)) AFTER received_at;

ALTER TABLE test_panel_shard ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();

ALTER TABLE test_panel ON CLUSTER panel MODIFY COLUMN first_received UInt64 MATERIALIZED if(toUnixTimestamp64Micro(corrected_at) = 0, 18446744073709551615 - 4096 * toUInt64(toUnixTimestamp64Micro(received_at)), 18446744073709551615 - 1024 * toUInt64(4102444800000000 - toUnixTimestamp64Micro(corrected_at))) - rowNumberInAllBlocks();
